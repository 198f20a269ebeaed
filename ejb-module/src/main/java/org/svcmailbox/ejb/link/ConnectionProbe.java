package org.svcmailbox.ejb.link;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertificateExpiredException;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.apache.activemq.artemis.core.remoting.impl.ssl.DefaultSSLContextFactory;
import org.apache.activemq.artemis.spi.core.remoting.ssl.SSLContextConfig;
import org.apache.activemq.artemis.spi.core.remoting.ssl.SSLContextFactoryProvider;
import org.apache.activemq.artemis.utils.ConfigurationHelper;
import org.svcmailbox.core.settings.BrokerSetting;
import org.svcmailbox.core.settings.Setting;

/**
 * Finds out why a configured broker cannot be reached. Artemis' client only logs the reason, and
 * names no setting. Opens one connection.
 */
final class ConnectionProbe {
  private static final int PATIENCE_MILLIS = 2_000;

  private final Map<String, Object> params;
  private final String host;
  private final int port;

  ConnectionProbe(TransportConfiguration connector) {
    params = connector.getParams();
    host = ConfigurationHelper.getStringProperty(TransportConstants.HOST_PROP_NAME, "", params);
    port = ConfigurationHelper.getIntProperty(TransportConstants.PORT_PROP_NAME, 0, params);
  }

  /** The reason, and the setting to look at. */
  String reason() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
      return isWithTls()
          ? shakeHands(socket)
          : said(BrokerSetting.URL, "does not answer; if it has TLS, add sslEnabled=true");
    } catch (UnknownHostException e) {
      return said(BrokerSetting.URL, "is no known host");
    } catch (IOException e) {
      return said(BrokerSetting.URL, "cannot be reached: " + text(e));
    }
  }

  private boolean isWithTls() {
    return ConfigurationHelper.getBooleanProperty(
        TransportConstants.SSL_ENABLED_PROP_NAME, false, params);
  }

  private String shakeHands(Socket socket) {
    SSLContext context;
    try {
      // A file may have been renewed, and Artemis caches contexts of the old one.
      SSLContextFactoryProvider.getSSLContextFactory().clearSSLContexts();
      context = context(trusted(SSLContextConfig.builder()));
    } catch (Exception e) {
      return unusable(BrokerSetting.TRUST_STORE, e);
    }
    try {
      context = context(shown(trusted(SSLContextConfig.builder())));
    } catch (Exception e) {
      return unusable(BrokerSetting.KEY_STORE, e);
    }
    try (SSLSocket tls =
        (SSLSocket) context.getSocketFactory().createSocket(socket, host, port, true)) {
      tls.setSoTimeout(PATIENCE_MILLIS);
      checkHost(tls);
      tls.startHandshake();
      // The broker refuses a certificate only after our part of the handshake.
      tls.getInputStream().read();
      return said(BrokerSetting.URL, "ends the connection");
    } catch (SocketTimeoutException e) {
      return said(BrokerSetting.URL, "does not answer; if it has no TLS, remove sslEnabled=true");
    } catch (SSLException e) {
      return refusal(e);
    } catch (IOException e) {
      return said(BrokerSetting.URL, "cannot be reached: " + text(e));
    }
  }

  private void checkHost(SSLSocket tls) {
    if (ConfigurationHelper.getBooleanProperty(
        TransportConstants.VERIFY_HOST_PROP_NAME, true, params)) {
      SSLParameters parameters = tls.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      tls.setSSLParameters(parameters);
    }
  }

  private SSLContext context(SSLContextConfig.Builder stores) throws Exception {
    // Bypasses the cache, whose key in WildFly is only the key store's name.
    return new DefaultSSLContextFactory().getSSLContext(stores.build(), params);
  }

  private SSLContextConfig.Builder shown(SSLContextConfig.Builder stores) {
    return stores
        .keystorePath(text(TransportConstants.KEYSTORE_PATH_PROP_NAME))
        .keystoreType(text(TransportConstants.KEYSTORE_TYPE_PROP_NAME))
        .keystorePassword(text(TransportConstants.KEYSTORE_PASSWORD_PROP_NAME));
  }

  private SSLContextConfig.Builder trusted(SSLContextConfig.Builder stores) {
    return stores
        .truststorePath(text(TransportConstants.TRUSTSTORE_PATH_PROP_NAME))
        .truststoreType(text(TransportConstants.TRUSTSTORE_TYPE_PROP_NAME))
        .truststorePassword(text(TransportConstants.TRUSTSTORE_PASSWORD_PROP_NAME));
  }

  private String text(String key) {
    return ConfigurationHelper.getStringProperty(key, null, params);
  }

  private String refusal(SSLException e) {
    if (String.valueOf(e.getMessage()).contains("fatal alert")) {
      return said(BrokerSetting.KEY_STORE, "refuses the certificate or asks for one: " + text(e));
    }
    Throwable root = root(e);
    if (root instanceof InvalidAlgorithmParameterException) {
      return BrokerSetting.TRUST_STORE.key() + " cannot be used: no certificate in it";
    }
    if (root instanceof CertificateExpiredException) {
      return said(BrokerSetting.TRUST_STORE, "has a certificate that has expired: " + text(e));
    }
    return root instanceof GeneralSecurityException
        ? said(BrokerSetting.TRUST_STORE, "has a certificate that is not trusted: " + text(e))
        : said(BrokerSetting.URL, "fails the TLS handshake: " + text(e));
  }

  private static String unusable(Setting<?> store, Exception e) {
    return store.key() + " cannot be used: " + text(e);
  }

  private String said(Setting<?> setting, String what) {
    return "%s:%d (%s) %s".formatted(host, port, setting.key(), what);
  }

  private static String text(Throwable thrown) {
    Throwable root = root(thrown);
    return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
  }

  private static Throwable root(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
