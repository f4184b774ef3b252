/**
 * Takes: the commands themselves, and words that do not fit them.
 * <p>Gives: examples, completion, what was probably meant.
 * <p>May use: scenario, answer.words, cli.option, cli.exit.
 * <p>Never: says of a command what it does not say of itself.
 */
package tallystick.cli.help;
