/**
 * Takes: a URL a user gave, a file of authorities, a connection that failed.
 * <p>Gives: their faults in words, with a remedy; the URL's origin; whom TLS trusts.
 * <p>May use: no other room, no library.
 * <p>Never: sends a request or a secret; repeats a user's secret in a message.
 */
package tallystick.reach;
