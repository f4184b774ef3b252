package tallystick;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A server's certificate for 127.0.0.1 that only those trust who are given its PEM file. */
public final class SelfSigned {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final String ALIAS = "server";

  private final Path folder;
  private final KeyStore store;

  private SelfSigned(Path folder, KeyStore store) {
    this.folder = folder;
    this.store = store;
  }

  /** Makes one with the JDK's own tool, in a folder that may be thrown away. */
  public static SelfSigned in(Path folder) throws Exception {
    Path file = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", ALIAS, "-keyalg", "EC", "-dname", "CN=" + ALIAS,
                "-ext", "san=ip:127.0.0.1", "-validity", "2", "-storetype", "PKCS12",
                "-storepass", new String(PASSWORD), "-keystore", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream stream = Files.newInputStream(file)) {
      store.load(stream, PASSWORD);
    }
    return new SelfSigned(folder, store);
  }

  /** What a server shows it with. */
  public SSLContext context() throws Exception {
    KeyManagerFactory keys =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  /** The file for those who shall trust it. */
  public Path pem() throws Exception {
    String body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.UTF_8))
            .encodeToString(store.getCertificate(ALIAS).getEncoded());
    return Files.writeString(
        folder.resolve("ca.pem"),
        "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n");
  }
}
