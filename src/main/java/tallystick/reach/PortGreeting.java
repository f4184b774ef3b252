package tallystick.reach;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Finds out what a port speaks that did not understand plain HTTP/1.1. Nothing but a greeting is
 * sent to it.
 */
final class PortGreeting {
  private static final int PATIENCE_MILLIS = 2_000;
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int FRAME_HEAD_BYTES = 9;
  private static final int TYPE_AT = 3;
  private static final byte SETTINGS = 4;

  private PortGreeting() {}

  private interface Greeting {
    boolean isAnswered(Socket plain) throws IOException;
  }

  private static boolean isAnswered(WebOrigin origin, Greeting greeting) {
    try (Socket plain = new Socket(Proxy.NO_PROXY)) {
      plain.connect(
          new InetSocketAddress(origin.socketHost(), origin.port()), PATIENCE_MILLIS);
      plain.setSoTimeout(PATIENCE_MILLIS);
      return greeting.isAnswered(plain);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Whether the server greets as HTTP/2 does without TLS. Source: RFC 9113, 3.4 and 4.1: both sides
   * begin with a frame of settings.
   */
  static boolean speaksHttpTwo(WebOrigin origin) {
    return isAnswered(
        origin,
        plain -> {
          plain.getOutputStream().write(PREFACE);
          plain.getOutputStream().write(new byte[] {0, 0, 0, SETTINGS, 0, 0, 0, 0, 0});
          return isSettings(plain.getInputStream().readNBytes(FRAME_HEAD_BYTES));
        });
  }

  /** Of the connection itself, which is stream 0. */
  private static boolean isSettings(byte[] head) {
    boolean isOfConnection = head.length == FRAME_HEAD_BYTES && head[TYPE_AT] == SETTINGS;
    for (int i = TYPE_AT + 2; isOfConnection && i < FRAME_HEAD_BYTES; i++) {
      isOfConnection = head[i] == 0;
    }
    return isOfConnection;
  }

  /** Whether the server shows a certificate. */
  static boolean speaksTls(WebOrigin origin) {
    Listener listener = new Listener();
    boolean isTrusted = isAnswered(origin, plain -> shakesHands(plain, origin, listener));
    // The listener ends every handshake, and a port without TLS does too.
    return isTrusted || listener.hasSeenCertificate.get();
  }

  private static boolean shakesHands(Socket plain, WebOrigin origin, Listener listener)
      throws IOException {
    SSLContext context;
    try {
      context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {listener}, null);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
    try (SSLSocket tls =
        (SSLSocket)
            context.getSocketFactory()
                .createSocket(plain, origin.socketHost(), origin.port(), true)) {
      tls.startHandshake();
      return true;
    }
  }

  /** Trusts nobody, but remembers that somebody asked to be trusted. */
  private static final class Listener implements X509TrustManager {
    private final AtomicBoolean hasSeenCertificate = new AtomicBoolean();

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("no client is expected");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      hasSeenCertificate.set(true);
      throw new CertificateException("seen, and that was the question");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
