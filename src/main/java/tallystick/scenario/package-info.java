/**
 * Takes: YAML and overrides.
 * <p>Gives: a {@code Scenario} without mistakes, or an error that names file, line and remedy.
 * <p>May use: reach; YAML of scenarios is read only here.
 * <p>Never: chooses at random, opens a connection.
 */
package tallystick.scenario;
