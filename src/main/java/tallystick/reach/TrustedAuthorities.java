package tallystick.reach;

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
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * TLS that trusts the user's own authorities besides the usual ones.
 *
 * @param tls makes its sockets
 * @param manager who is trusted
 */
public record TrustedAuthorities(SSLSocketFactory tls, X509TrustManager manager) {

  /**
   * The usual authorities and those of a PEM file; an empty name adds none.
   *
   * @throws IllegalArgumentException if the file holds no certificate
   */
  public static TrustedAuthorities with(String pemFile) {
    try {
      X509TrustManager trust = managerOf(pemFile.isEmpty() ? null : storeOf(Path.of(pemFile)));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {trust}, null);
      return new TrustedAuthorities(context.getSocketFactory(), trust);
    } catch (IOException | GeneralSecurityException e) {
      String where = pemFile.isEmpty() ? "this machine's store of authorities" : pemFile;
      throw new IllegalArgumentException(
          where + " holds no usable certificates (" + e.getMessage()
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
