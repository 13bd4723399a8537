"""The release gate: does a model treat the block's snapshots as snapshots?"""
