weir set limits.yaml --rename search=find --add 'edge={ name: everyone, key: [], algorithm: gcra, rate: 1/s, burst: 5 }' --duplicate find=find-eu find-eu.match.path=/eu --move free-plan=endpoint:1
cat limits.yaml
