package org.svcmailbox.ejb.link;

import jakarta.jms.ConnectionFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.activemq.artemis.api.config.ServerLocatorConfig;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.svcmailbox.core.problem.StartException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.BrokerSetting;
import org.svcmailbox.core.settings.BrokerSettings;
import org.svcmailbox.core.settings.BrokerSettings.Secret;
import org.svcmailbox.core.settings.BrokerSettings.Store;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.Setting;
import org.svcmailbox.ejb.link.BrokerAccess.Login;

/** Chooses the broker: the one of {@code mailbox.broker.url}, or else the server's. */
public final class BrokerChoice {
  // A pair fails over within five seconds, so a silent broker must be noticed sooner. Once per TTL
  // the client checks whether anything has arrived, so it notices after two TTLs at most.
  static final long TTL_MILLIS = 2_000;
  static final long CHECK_MILLIS = 500;
  static final long CALL_MILLIS = 5_000;
  static final int CONNECT_MILLIS = 2_000;

  /**
   * The delay of writes: a transaction leaves with its commit, in one write instead of one for each
   * message. The client writes earlier when much is staged, or after this time.
   */
  static final long BATCH_MILLIS = 50;

  private BrokerChoice() {}

  /**
   * Access to the chosen broker; connects to nothing.
   *
   * @param ofTheServer finds the server's connection factory; called only without a configured
   *     broker, because the server need not have one
   */
  public static BrokerAccess of(
      MailboxSettings settings, Supplier<? extends ConnectionFactory> ofTheServer) {
    return settings
        .broker()
        .map(BrokerChoice::named)
        .orElseGet(
            () ->
                BrokerAccess.of(
                    ((ActiveMQConnectionFactory) ofTheServer.get()).getServerLocator()));
  }

  private static BrokerAccess named(BrokerSettings settings) {
    ServerLocator locator = locator(settings);
    return new BrokerAccess(
        locator,
        () -> login(settings),
        () -> null,
        new BrokerState(),
        () -> readKeyPassword(locator, settings));
  }

  /**
   * Rereads the key store's password; no other store can have its password in a file. The
   * connectors' parameters are our own copy.
   */
  private static void readKeyPassword(ServerLocator locator, BrokerSettings settings) {
    Optional<Secret> inFile =
        settings.key().flatMap(Store::password).filter(secret -> secret.file().isPresent());
    inFile
        .map(secret -> read(BrokerSetting.KEY_STORE_PASSWORD_FILE, secret))
        .ifPresent(
            password -> {
              for (TransportConfiguration connector : locator.getStaticTransportConfigurations()) {
                connector.getParams().put(TransportConstants.KEYSTORE_PASSWORD_PROP_NAME, password);
              }
            });
  }

  private static Login login(BrokerSettings settings) {
    return new Login(
        settings.user().orElse(null),
        settings.password().map(secret -> read(BrokerSetting.PASSWORD_FILE, secret)).orElse(null));
  }

  private static String read(Setting<?> setting, Secret secret) {
    return secret.text().orElseGet(() -> read(setting, secret.file().orElseThrow()));
  }

  private static String read(Setting<?> setting, Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UnavailableException(setting.key() + " cannot be read", e);
    }
  }

  private static ServerLocator locator(BrokerSettings settings) {
    ServerLocator parsed = parsed(settings.url());
    TransportConfiguration[] given = parsed.getStaticTransportConfigurations();
    TransportConfiguration[] connectors = new TransportConfiguration[given.length];
    for (int i = 0; i < given.length; i++) {
      connectors[i] = connector(given[i], settings);
    }
    ServerLocator locator = ActiveMQClient.createServerLocator(parsed.isHA(), connectors);
    ServerLocatorConfig config = new ServerLocatorConfig(parsed.getLocatorConfig());
    config.connectionTTL =
        unless(config.connectionTTL, ActiveMQClient.DEFAULT_CONNECTION_TTL, TTL_MILLIS);
    config.clientFailureCheckPeriod =
        unless(
            config.clientFailureCheckPeriod,
            ActiveMQClient.DEFAULT_CLIENT_FAILURE_CHECK_PERIOD,
            CHECK_MILLIS);
    config.callTimeout =
        unless(config.callTimeout, ActiveMQClient.DEFAULT_CALL_TIMEOUT, CALL_MILLIS);
    locator.setLocatorConfig(config);
    return locator;
  }

  private static ServerLocator parsed(String url) {
    try {
      return ActiveMQClient.createServerLocator(url);
    } catch (Exception e) {
      throw new StartException(
          BrokerSetting.URL.key() + " is no URL of Artemis. Correct it", true, e);
    }
  }

  /** The URL's value, or ours where the URL leaves Artemis' default. */
  private static long unless(long given, long byDefault, long ours) {
    return given == byDefault ? ours : given;
  }

  private static TransportConfiguration connector(
      TransportConfiguration given, BrokerSettings settings) {
    Map<String, Object> params = new ConcurrentHashMap<>(given.getParams());
    params.putIfAbsent(TransportConstants.NETTY_CONNECT_TIMEOUT, CONNECT_MILLIS);
    params.put(TransportConstants.BATCH_DELAY, BATCH_MILLIS);
    settings.trust().ifPresent(store -> params.putAll(store(store, "trustStore")));
    settings.key().ifPresent(store -> params.putAll(store(store, "keyStore")));
    return new TransportConfiguration(given.getFactoryClassName(), params, given.getName());
  }

  /** The connector parameters of a store, without a password that is in a file. */
  private static Map<String, Object> store(Store store, String prefix) {
    Map<String, Object> params = new HashMap<>();
    params.put(prefix + "Path", store.file().toAbsolutePath().toString());
    params.put(prefix + "Type", store.file().toString().endsWith(".pem") ? "PEM" : "PKCS12");
    store
        .password()
        .flatMap(Secret::text)
        .ifPresent(password -> params.put(prefix + "Password", password));
    return params;
  }
}
