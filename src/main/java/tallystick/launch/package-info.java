/**
 * Takes: a scenario, a number of shards, names of a cluster's things.
 * <p>Gives: the files that a cluster runs them from; and, if asked, what came of them there.
 * <p>May use: no other room.
 * <p>Never: talks to a cluster but through the cluster's own client.
 */
package tallystick.launch;
