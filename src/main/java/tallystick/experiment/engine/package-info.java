/**
 * Takes: a command with gaps for settings, and the settings.
 * <p>Gives: an engine that answers, what it says it runs with, and nothing of it left afterwards.
 * <p>May use: experiment, scenario.
 * <p>Never: asks a shell, or sends load.
 */
package tallystick.experiment.engine;
