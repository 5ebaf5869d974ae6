sh -c "weir generate poisson --count 1000000000; echo status \$? >&2" | head -n 1 | cut -c 1-32
