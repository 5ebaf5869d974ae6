for j in 1 2 5; do weir replay next.yaml day.jsonl --no-store -j $j --decisions d$j.jsonl > out$j; done; cmp d1.jsonl d2.jsonl && cmp d1.jsonl d5.jsonl && cmp out1 out2 && cmp out1 out5 && echo same
