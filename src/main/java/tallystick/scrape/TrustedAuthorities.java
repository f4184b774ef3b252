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

/** TLS that trusts the user's own authorities besides the usual ones. */
final class TrustedAuthorities {
  private TrustedAuthorities() {}

  /**
   * A context that trusts the authorities of a PEM file too.
   *
   * @throws IllegalArgumentException if the file holds no certificate
   */
  static SSLContext with(Path pem) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (X509Certificate usual : usual()) {
        store.setCertificateEntry("usual-" + number++, usual);
      }
      for (Certificate own : own(pem)) {
        store.setCertificateEntry("own-" + number++, own);
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers(store), null);
      return context;
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

  private static X509Certificate[] usual() throws GeneralSecurityException {
    for (TrustManager manager : managers(null)) {
      if (manager instanceof X509TrustManager authorities) {
        return authorities.getAcceptedIssuers();
      }
    }
    return new X509Certificate[0];
  }

  private static TrustManager[] managers(KeyStore store) throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }
}
