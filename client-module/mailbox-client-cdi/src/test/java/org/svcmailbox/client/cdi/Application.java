package org.svcmailbox.client.cdi;

import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.enterprise.inject.spi.Extension;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jspecify.annotations.Nullable;

/** A CDI application of some beans and settings, with threads as a container has them. */
final class Application implements AutoCloseable {
  private final Config config;
  private final SeContainer container;

  private Application(Config config, SeContainer container) {
    this.config = config;
    this.container = container;
  }

  static Application start(Map<String, String> settings, Class<?>... beans) {
    ConfigProviderResolver configs = ConfigProviderResolver.instance();
    Config config =
        configs
            .getBuilder()
            .addDefaultSources()
            .withSources(new Settings(Map.copyOf(settings)))
            .build();
    configs.registerConfig(config, Application.class.getClassLoader());
    try {
      return new Application(
          config,
          SeContainerInitializer.newInstance()
              .disableDiscovery()
              // As a container finds it: without discovery, this one does not look.
              .addExtensions(installed())
              .addBeanClasses(TestThreads.class)
              .addBeanClasses(beans)
              .initialize());
    } catch (RuntimeException e) {
      configs.releaseConfig(config);
      throw e;
    }
  }

  private static Extension[] installed() {
    return ServiceLoader.load(Extension.class, Application.class.getClassLoader()).stream()
        .filter(provider -> provider.type() == MailboxCdiExtension.class)
        .map(ServiceLoader.Provider::get)
        .toArray(Extension[]::new);
  }

  /** The message of a deployment that must fail. */
  static String failure(Map<String, String> settings, Class<?>... beans) {
    RuntimeException failure =
        assertThrows(RuntimeException.class, () -> start(settings, beans).close());
    return String.valueOf(failure.getMessage());
  }

  <T> T get(Class<T> type) {
    return container.select(type).get();
  }

  @Override
  public void close() {
    container.close();
    ConfigProviderResolver.instance().releaseConfig(config);
  }

  /** Where an application of its own would have a file. */
  private record Settings(Map<String, String> values) implements ConfigSource {
    @Override
    public Set<String> getPropertyNames() {
      return values.keySet();
    }

    @Override
    public @Nullable String getValue(String key) {
      return values.get(key);
    }

    @Override
    public String getName() {
      return "the application's";
    }
  }
}
