/**
 * Takes: a URL a user gave, a file of authorities, a place of a secret, a connection that failed.
 * <p>Gives: their faults in words, with a remedy; the URL's origin; whom TLS trusts; what an API
 * is shown, and a text without it.
 * <p>May use: no other room, no library.
 * <p>Never: sends a request or a secret; repeats a user's secret in a message.
 */
package tallystick.reach;
