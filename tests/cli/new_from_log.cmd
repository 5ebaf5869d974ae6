weir new --from access.log
