package org.svcmailbox.client.cdi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxListener;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.loop.MainLoopRequest;
import org.svcmailbox.client.memory.InMemoryMailbox;

/** Listeners that fail the deployment, and what it says then. */
@SuppressWarnings({"rawtypes", "unused", "UnusedMethod"})
class WrongListenerTest {
  @ApplicationScoped
  static class NoParameter {
    @MailboxListener("orders")
    void ship() {}
  }

  @ApplicationScoped
  static class TwoParameters {
    @MailboxListener("orders")
    void ship(Order order, Receipt receipt) {}
  }

  @ApplicationScoped
  static class Static {
    @MailboxListener("orders")
    static void ship(Order order) {}
  }

  @ApplicationScoped
  static class Private {
    @MailboxListener("orders")
    private void ship(Order order) {}
  }

  @ApplicationScoped
  static class RawMessage {
    @MailboxListener("orders")
    void ship(Message message) {}
  }

  @ApplicationScoped
  static class RawRequest {
    @MailboxListener("orders")
    void ship(MainLoopRequest request) {}
  }

  @ApplicationScoped
  static class Wildcard {
    @MailboxListener("orders")
    void ship(Message<Order, ?> message) {}
  }

  @ApplicationScoped
  static class Variable {
    @MailboxListener("orders")
    <T> void ship(List<T> orders) {}
  }

  @ApplicationScoped
  static class OtherReply {
    @MailboxListener("orders")
    String ship(Message<Order, Receipt> message) {
      return "";
    }
  }

  @ApplicationScoped
  static class Stage {
    @MailboxListener("orders")
    CompletionStage<Receipt> ship(Order order) {
      throw new UnsupportedOperationException();
    }
  }

  @ApplicationScoped
  static class WildcardReply {
    @MailboxListener("orders")
    List<?> ship(Order order) {
      return List.of();
    }
  }

  @ApplicationScoped
  static class Misnamed {
    @MailboxListener("orders/eu")
    void ship(Order order) {}
  }

  @ApplicationScoped
  @Typed(Object.class)
  static class NotOfItsType {
    @MailboxListener("orders")
    void ship(Order order) {}
  }

  static List<Arguments> wrong() {
    return List.of(
        Arguments.of(NoParameter.class, "must take one parameter", ", not 0"),
        Arguments.of(TwoParameters.class, "must take one parameter", ", not 2"),
        Arguments.of(Static.class, "must not be static", ""),
        Arguments.of(Private.class, "must not be private", ""),
        Arguments.of(RawMessage.class, "takes a raw Message", "must name its types"),
        Arguments.of(RawRequest.class, "takes a raw MainLoopRequest", "must name its types"),
        Arguments.of(Wildcard.class, "takes org.svcmailbox.client.Message<", "no wildcards"),
        Arguments.of(Variable.class, "takes java.util.List<T>", "no type variables"),
        Arguments.of(OtherReply.class, "returns java.lang.String, but replies", ".Receipt"),
        Arguments.of(Stage.class, "returns a CompletionStage", "the reply itself"),
        Arguments.of(WildcardReply.class, "returns java.util.List<?>", "no wildcards"),
        Arguments.of(Misnamed.class, "the mailbox's name must be", "1 to 255 of A-Z a-z 0-9 . _ -"),
        Arguments.of(NotOfItsType.class, "its class is not among", "the types of its bean"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void aWrongSignatureFailsTheDeployment(Class<?> bean, String problem, String detail) {
    String failure = Application.failure(Map.of(), Shop.class, bean);
    assertTrue(failure.contains(bean.getName() + ".ship: " + problem), failure);
    assertTrue(failure.contains(detail), failure);
  }

  @Test
  void allProblemsAreReportedTogether() {
    String failure =
        Application.failure(
            Map.of("svcmailbox.orders.concurrency", "many"),
            Shop.class,
            NoParameter.class,
            Right.class,
            Static.class);
    assertTrue(failure.contains("problems with mailboxes: 3"), failure);
    assertTrue(failure.contains("NoParameter.ship: must take one"), failure);
    assertTrue(failure.contains("Static.ship: must not be static"), failure);
    assertTrue(failure.contains("svcmailbox.orders.concurrency: must be"), failure);
  }

  @ApplicationScoped
  static class Right {
    @MailboxListener("orders")
    void ship(Order order) {}
  }

  @ApplicationScoped
  static class Second {
    @MailboxListener("orders")
    void ship(Order order) {}
  }

  @Test
  void aMailboxHasOneListener() {
    String failure = Application.failure(Shop.ORDERS, Shop.class, Right.class, Second.class);
    assertTrue(failure.contains("mailbox orders has another listener, "), failure);
  }

  @ApplicationScoped
  static class OfReceipts {
    @MailboxListener("orders")
    void ship(Receipt receipt) {}
  }

  @Test
  void aListenerMustFitTheMailboxThatTheApplicationMakes() {
    String failure = Application.failure(Shop.ORDERS, Shop.class, OfReceipts.class);
    assertTrue(failure.contains("OfReceipts.ship: needs one mailbox orders of the type"), failure);
    assertTrue(failure.contains("but the application produces"), failure);
    assertTrue(failure.contains("Mailbox<" + Order.class.getName()), failure);
  }

  @ApplicationScoped
  static class SecondShop {
    @Produces
    @MailboxName("orders")
    Mailbox<Order, Receipt> orders() {
      return InMemoryMailbox.<Order, Receipt>builder("orders").build();
    }
  }

  @Test
  void twoMailboxesOfOneNameAndTypeAreTooMany() {
    String failure = Application.failure(Shop.ORDERS, Shop.class, SecondShop.class, Right.class);
    assertTrue(failure.contains("but the application produces 2 of that type"), failure);
  }
}
