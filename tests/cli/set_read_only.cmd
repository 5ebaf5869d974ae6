mkdir ro; mv limits.yaml ro; chmod 444 ro/limits.yaml; weir set ro/limits.yaml search.rate=3/min; echo $?; grep -c 3/min ro/limits.yaml
