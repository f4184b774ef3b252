package tallystick.scrape;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.OkHttpClient;

/** TLS that trusts the user's own authorities besides the usual ones. */
final class TrustedAuthorities {
  private final X509TrustManager manager;

  private TrustedAuthorities(X509TrustManager manager) {
    this.manager = manager;
  }

  /**
   * The usual authorities and those of a PEM file.
   *
   * @throws IllegalArgumentException if the file holds no certificate
   */
  static TrustedAuthorities with(Path pem) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (X509Certificate usual : manager(null).getAcceptedIssuers()) {
        store.setCertificateEntry("usual-" + number++, usual);
      }
      for (Certificate own : own(pem)) {
        store.setCertificateEntry("own-" + number++, own);
      }
      return new TrustedAuthorities(manager(store));
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(pem + " holds no certificates: " + e.getMessage(), e);
    }
  }

  private static Iterable<? extends Certificate> own(Path pem)
      throws GeneralSecurityException, IOException {
    try (InputStream stream = Files.newInputStream(pem)) {
      return CertificateFactory.getInstance("X.509").generateCertificates(stream);
    }
  }

  /** Makes a client trust them. */
  void use(OkHttpClient.Builder client) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {manager}, null);
      client.sslSocketFactory(context.getSocketFactory(), manager);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }

  /** The manager of a store; without one, of the authorities the machine trusts. */
  private static X509TrustManager manager(KeyStore store) throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509TrustManager authorities) {
        return authorities;
      }
    }
    throw new GeneralSecurityException("no X.509 trust manager");
  }
}
