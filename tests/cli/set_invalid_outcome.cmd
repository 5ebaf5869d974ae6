weir set limits.yaml search.rate=20/mon; echo $?; weir set limits.yaml search.brust=3; echo $?; weir check limits.yaml
