package org.svcmailbox.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.ParameterizedTypeReference;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.http.HttpConnections;

/** Mailboxes over HTTP are opened as the properties say. */
class HttpTest {
  @TempDir private Path directory;

  private ApplicationContextRunner application() throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "not.a.capability");
    return new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(MailboxAutoConfiguration.class))
        .withPropertyValues(
            "svcmailbox.url=http://127.0.0.1:1",
            "svcmailbox.token-file=" + token,
            "svcmailbox.mailboxes.far.url=http://192.0.2.1",
            "svcmailbox.mailboxes.farther.url=http://192.0.2.2",
            "svcmailbox.mailboxes.farther.allow-plain-http=true");
  }

  @Test
  void aMailboxIsWhereThePropertiesSay() throws IOException {
    application()
        .run(
            context -> {
              Mailboxes mailboxes = context.getBean(Mailboxes.class);
              try (Mailbox<Order, Object> near = mailboxes.open("near", Order.class, Object.class);
                  Mailbox<List<Order>, Object> farther =
                      mailboxes.open(
                          "farther",
                          new ParameterizedTypeReference<List<Order>>() {},
                          new ParameterizedTypeReference<Object>() {})) {
                assertThat(near.location()).startsWith("http://127.0.0.1:1");
                assertThat(farther.location()).startsWith("http://192.0.2.2");
              }
              assertThatThrownBy(() -> mailboxes.open("far", Order.class, Object.class))
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageStartingWith("mailbox far: plain HTTP shows the token");
            });
  }

  @Test
  void mailboxesReceiveByAStreamWhereThePropertiesSaySo() throws IOException {
    application()
        .withPropertyValues(
            "svcmailbox.streaming=true", "svcmailbox.mailboxes.farther.streaming=false")
        .run(
            context -> {
              MailboxProperties properties = context.getBean(MailboxProperties.class);
              assertThat(properties.service("near").streaming()).isTrue();
              assertThat(properties.service("farther").streaming()).isFalse();
            });
    application()
        .run(
            context ->
                assertThat(context.getBean(MailboxProperties.class).service("near").streaming())
                    .isFalse());
  }

  @Test
  void connectionsOfTheApplicationAreUsed() throws IOException {
    HttpConnections own = HttpConnections.builder().build();
    application()
        .withBean("own", HttpConnections.class, () -> own)
        .run(context -> assertThat(context.getBean(HttpConnections.class)).isSameAs(own));
  }
}
