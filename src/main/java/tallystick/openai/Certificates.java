package tallystick.openai;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Trust in a private authority's certificates, besides the usual ones. */
final class Certificates {
  private Certificates() {}

  /** TLS that trusts some authorities. */
  record Trust(CountedTls tls, X509TrustManager authorities) {}

  /**
   * Trust in the usual authorities and in those of a PEM file; an empty name adds none.
   *
   * @throws IllegalArgumentException if the file holds no certificates
   */
  static Trust trust(String pemFile) {
    try {
      X509TrustManager trust = managerOf(pemFile.isEmpty() ? null : storeOf(Path.of(pemFile)));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {trust}, null);
      return new Trust(new CountedTls(context.getSocketFactory()), trust);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          (pemFile.isEmpty() ? "the usual authorities" : pemFile)
              + " hold no usable certificates (" + e.getMessage()
              + "): name a PEM file of the authority",
          e);
    }
  }

  private static KeyStore storeOf(Path pem) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (X509Certificate usual : managerOf(null).getAcceptedIssuers()) {
      store.setCertificateEntry("usual-" + store.size(), usual);
    }
    int before = store.size();
    try (InputStream in = Files.newInputStream(pem)) {
      for (Certificate own : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("own-" + store.size(), own);
      }
    }
    if (store.size() == before) {
      throw new IOException("no certificate in it");
    }
    return store;
  }

  /** The manager of a store; of the usual authorities for null, as Java's own API has it. */
  private static X509TrustManager managerOf(KeyStore store) throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return Arrays.stream(factory.getTrustManagers())
        .filter(X509TrustManager.class::isInstance)
        .map(X509TrustManager.class::cast)
        .findFirst()
        .orElseThrow(() -> new GeneralSecurityException("no X.509 trust manager"));
  }
}
