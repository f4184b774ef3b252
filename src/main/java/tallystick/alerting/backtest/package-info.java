/**
 * Takes: rule groups and recorded runs.
 * <p>Gives: when each alert would have fired, against when users suffered.
 * <p>May use: alerting's derivation, analysis's PromQL and rule replay.
 * <p>Never: decides from the engine's figures when users suffered.
 */
package tallystick.alerting.backtest;
