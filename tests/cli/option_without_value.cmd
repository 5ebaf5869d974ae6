weir check limits.yaml --lookup-dir
