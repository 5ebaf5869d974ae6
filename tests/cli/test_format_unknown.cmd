weir test good.scn --format tap
