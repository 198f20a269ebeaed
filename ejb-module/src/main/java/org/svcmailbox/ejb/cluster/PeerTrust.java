package org.svcmailbox.ejb.cluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.StartException;
import org.svcmailbox.core.settings.ClusterSetting;
import org.svcmailbox.core.settings.MailboxSettings;

/** The certificates that those of the other nodes are checked against, read once. */
public final class PeerTrust {
  private static final String SETTING = ClusterSetting.TRUST_STORE.key() + " ";

  private PeerTrust() {}

  /** The trust that the settings name; empty for the JVM's own. */
  static Optional<SSLContext> of(MailboxSettings.Cluster settings) {
    return settings.trustStore().map(PeerTrust::context);
  }

  /** Reasons not to use the file, without any of its content. */
  public static List<String> violations(MailboxSettings.Cluster settings) {
    try {
      Optional<SSLContext> unused = of(settings);
      return List.of();
    } catch (StartException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  private static SSLContext context(Path file) {
    try {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      for (Certificate one : certificates(file)) {
        trusted.setCertificateEntry("peer-" + trusted.size(), one);
      }
      if (trusted.size() == 0) {
        throw refused(file, "has no certificate in it", null);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException e) {
      throw refused(file, "cannot be read", e);
    } catch (GeneralSecurityException e) {
      throw refused(file, "has no certificate in it", e);
    }
  }

  private static Collection<? extends Certificate> certificates(Path file)
      throws IOException, GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
  }

  private static StartException refused(Path file, String why, @Nullable Exception cause) {
    return new StartException(SETTING + file + " " + why, true, cause);
  }
}
