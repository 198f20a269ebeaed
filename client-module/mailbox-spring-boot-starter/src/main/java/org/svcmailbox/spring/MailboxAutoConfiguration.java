package org.svcmailbox.spring;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.svcmailbox.client.MailboxListener;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.loop.LoopListener;
import org.svcmailbox.client.micrometer.MicrometerListener;

/**
 * Mailboxes, the loops of {@link MailboxListener} methods, their health and their meters. A bean of
 * type {@link HttpConnections} replaces the shared connections; each bean of type {@link
 * LoopListener} hears of all loops.
 */
@AutoConfiguration(
    afterName =
        "org.springframework.boot.micrometer.metrics.autoconfigure"
            + ".CompositeMeterRegistryAutoConfiguration")
@EnableConfigurationProperties(MailboxProperties.class)
public class MailboxAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  HttpConnections mailboxConnections() {
    return HttpConnections.builder().build();
  }

  @Bean
  @ConditionalOnMissingBean
  Mailboxes mailboxes(MailboxProperties properties, HttpConnections connections) {
    return new Mailboxes(properties, connections);
  }

  @Bean
  Outages mailboxOutages() {
    return new Outages(Clock.systemUTC());
  }

  @Bean
  SpringListenerLoops mailboxListenerLoops(
      ConfigurableListableBeanFactory beans,
      MailboxProperties properties,
      Mailboxes mailboxes,
      ObjectProvider<LoopListener> loopListeners) {
    return new SpringListenerLoops(beans, properties, mailboxes, loopListeners);
  }

  /** For applications with health. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(HealthIndicator.class)
  static class OfHealth {
    @Bean
    @ConditionalOnEnabledHealthIndicator("mailbox")
    HealthIndicator mailboxHealthIndicator(SpringListenerLoops loops, Outages outages) {
      return new MailboxHealth(loops, outages);
    }
  }

  /** For applications with meters. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  static class OfMeters {
    @Bean
    @ConditionalOnBean(MeterRegistry.class)
    @ConditionalOnMissingBean
    MicrometerListener mailboxMeters(MeterRegistry registry) {
      return new MicrometerListener(registry);
    }
  }
}
