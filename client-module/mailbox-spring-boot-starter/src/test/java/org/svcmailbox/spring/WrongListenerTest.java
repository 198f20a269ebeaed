package org.svcmailbox.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.svcmailbox.client.MailboxListener;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.memory.InMemoryMailbox;

/** Wrong listeners and properties end the start, with a sentence that says which. */
class WrongListenerTest {
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(MailboxAutoConfiguration.class));

  private static void assertFails(ApplicationContextRunner runner, String... words) {
    runner.run(
        context -> {
          assertThat(context).hasFailed();
          assertThat(causes(requireNonNull(context.getStartupFailure())))
              .contains(Arrays.asList(words));
        });
  }

  private static String causes(Throwable failure) {
    StringBuilder all = new StringBuilder();
    for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
      all.append(each.getMessage()).append('\n');
    }
    return all.toString();
  }

  static class TwoParameters {
    @MailboxListener("orders")
    void ship(String one, String two) {}
  }

  static class RawMessage {
    @MailboxListener("orders")
    @SuppressWarnings("rawtypes")
    void ship(Message message) {}
  }

  static class NoName {
    @MailboxListener("or ders")
    void ship(String order) {}
  }

  static class Twice {
    @MailboxListener("orders")
    void ship(String order) {}

    @MailboxListener("orders")
    void pack(String order) {}
  }

  static class OfNumbers {
    @MailboxListener("orders")
    void ship(Integer order) {}
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of((Supplier<Object>) TwoParameters::new, "TwoParameters.ship: must take one"),
        Arguments.of((Supplier<Object>) RawMessage::new, "RawMessage.ship: takes a raw Message"),
        Arguments.of((Supplier<Object>) NoName::new, "NoName.ship: names no mailbox"),
        Arguments.of((Supplier<Object>) Twice::new, "listens to orders, as"));
  }

  @ParameterizedTest
  @MethodSource
  void wrong(Supplier<Object> bean, String problem) {
    assertFails(withBean(bean), problem);
  }

  @SuppressWarnings("unchecked")
  private ApplicationContextRunner withBean(Supplier<Object> bean) {
    Class<Object> type = (Class<Object>) bean.get().getClass();
    return application.withBean(type, bean);
  }

  @Test
  void aMailboxOfOtherBodiesIsRefused() {
    assertFails(
        application.withUserConfiguration(Shop.class).withBean(OfNumbersElsewhere.class),
        "mailbox receipts: the bean receipts has bodies of java.lang.String");
  }

  static class OfNumbersElsewhere {
    @MailboxListener("receipts")
    void count(Integer receipt) {}
  }

  @Test
  void aMailboxThatIsTwoBeansIsRefused() {
    assertFails(
        application
            .withUserConfiguration(Shop.class)
            .withBean(
                "others",
                InMemoryMailbox.class,
                () ->
                    InMemoryMailbox.<byte[], Object>builder(
                            "orders", Codecs.bytes(), Codecs.reference())
                        .build()),
        "mailbox orders is several beans: [");
  }

  @Test
  void aMailboxThatIsNowhereIsRefused() {
    assertFails(withBean(OfNumbers::new), "mailbox orders: the property svcmailbox.url is missing");
    assertFails(
        withBean(OfNumbers::new).withPropertyValues("svcmailbox.url=http://127.0.0.1:1"),
        "mailbox orders: the property svcmailbox.token-file is missing");
  }

  @Test
  void settingsThatTheBackendLacksAreRefused() {
    assertFails(
        application.withUserConfiguration(Shop.class),
        "mailbox orders has no dead letters of its own");
    assertFails(
        application
            .withUserConfiguration(Shop.class)
            .withPropertyValues(
                "svcmailbox.mailboxes.orders.dead-letter-limit=5",
                "svcmailbox.mailboxes.orders.concurrency=0"),
        "workers must be at least 1, not 0");
  }

  @Test
  void aPropertyThatDoesNotExistIsRefused() {
    assertFails(
        application.withPropertyValues("svcmailbox.mailboxes.orders.concurency=4"),
        "svcmailbox.mailboxes.orders.concurency");
  }
}
