/**
 * Takes: the records of the shards of one run.
 * <p>Gives: the record of that run, as one machine would have written it, or why there is none.
 * <p>May use: scenario, plan, runrecord.
 * <p>Never: analyses, sends anything, or calls a run whole that lacks a shard.
 */
package tallystick.shards;
