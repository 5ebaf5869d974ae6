weir help check | true
sh -c "weir help; echo status \$? >&2" | true
