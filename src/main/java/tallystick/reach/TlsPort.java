package tallystick.reach;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Finds out whether a port that did not understand plain HTTP speaks TLS. */
final class TlsPort {
  private static final int PATIENCE_MILLIS = 2_000;

  private TlsPort() {}

  /** Whether the server shows a certificate. Nothing but the first words of TLS is sent to it. */
  static boolean speaksTls(WebOrigin origin) {
    Listener listener = new Listener();
    try (Socket plain = new Socket(Proxy.NO_PROXY)) {
      plain.connect(
          new InetSocketAddress(origin.socketHost(), origin.port()), PATIENCE_MILLIS);
      plain.setSoTimeout(PATIENCE_MILLIS);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {listener}, null);
      try (SSLSocket tls =
          (SSLSocket)
              context.getSocketFactory()
                  .createSocket(plain, origin.socketHost(), origin.port(), true)) {
        tls.startHandshake();
      }
    } catch (IOException e) {
      // The listener ends every handshake so, and a port without TLS does too.
      return listener.hasSeenCertificate.get();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
    return true;
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
