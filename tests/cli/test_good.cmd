weir test good.scn
