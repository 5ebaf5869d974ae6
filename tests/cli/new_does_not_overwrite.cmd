echo mine > made.yaml
weir new made.yaml; echo "status $?"
cat made.yaml
