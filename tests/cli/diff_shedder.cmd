weir diff now.yaml learnt.yaml
