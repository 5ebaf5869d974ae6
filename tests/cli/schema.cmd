weir schema | head -4; weir schema | grep -c description
