/**
 * Takes: YAML and overrides.
 * <p>Gives: a {@code Scenario} without mistakes, or file:line, what and remedy.
 * <p>May use: reach; YAML of scenarios is read only here.
 * <p>Never: chooses at random, opens a connection.
 */
package tallystick.scenario;
