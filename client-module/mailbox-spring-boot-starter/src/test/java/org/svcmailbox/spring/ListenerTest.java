package org.svcmailbox.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.ResolvableType;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxListener;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.loop.LoopListener;
import org.svcmailbox.client.memory.InMemoryMailbox;
import org.svcmailbox.spring.Shop.Shipping;
import org.svcmailbox.test.concurrent.Deadline;

/** Listeners run from the start of an application to its end. */
@Timeout(60)
class ListenerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ApplicationContextRunner shop =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(MailboxAutoConfiguration.class))
          .withUserConfiguration(Shop.class)
          .withPropertyValues("svcmailbox.mailboxes.orders.dead-letter-limit=5");

  private static void await(Deadline.Condition condition) {
    Deadline.in(PATIENCE).await(condition, () -> "what the test waits for");
  }

  @SuppressWarnings("unchecked")
  private static <T, R> Mailbox<T, R> mailbox(
      ApplicationContext context, Class<T> body, Class<R> reply) {
    return (Mailbox<T, R>)
        context
            .getBeanProvider(ResolvableType.forClassWithGenerics(Mailbox.class, body, reply))
            .getObject();
  }

  private static Mailbox<Order, String> orders(ApplicationContext context) {
    return mailbox(context, Order.class, String.class);
  }

  @Test
  void aListenerHandlesMessagesAndReplies() {
    shop.run(
        context -> {
          Mailbox<String, Object> receipts = mailbox(context, String.class, Object.class);
          orders(context).send(new Order("apples", 2), receipts);

          assertThat(receipts.receive().map(Message::body)).contains("apples shipped");
          assertThat(context.getBean(Shipping.class).shipped)
              .containsExactly(new Order("apples", 2));
          await(() -> orders(context).approximateCount() == 0);
        });
  }

  @Test
  void aListenerThatThrowsGetsTheMessageAgain() {
    List<LoopListener.Ending> endings = new CopyOnWriteArrayList<>();
    shop.withBean(
            LoopListener.class,
            () ->
                new LoopListener() {
                  @Override
                  public void ended(String mailbox, Ending ending, Duration handling) {
                    endings.add(ending);
                  }
                })
        .run(
            context -> {
              orders(context).send(new Order("apples", 0));
              await(() -> !endings.isEmpty());
              assertThat(endings).containsExactly(LoopListener.Ending.RETRIED);
              assertThat(orders(context).approximateCount()).isEqualTo(1);
            });
  }

  @Test
  void aLoopStopsWithItsApplication() {
    List<Mailbox<Order, String>> mailboxes = new CopyOnWriteArrayList<>();
    shop.run(
        context -> {
          assertThat(context.getBean(SpringListenerLoops.class).isRunning()).isTrue();
          mailboxes.add(orders(context));
        });
    assertThat(mailboxes.get(0).isClosed()).isTrue();
  }

  @Test
  void aStoppedContextStartsAgain() {
    shop.run(
        context -> {
          context.stop();
          orders(context).send(new Order("apples", 2));
          assertThat(context.getBean(SpringListenerLoops.class).isRunning()).isFalse();
          assertThat(orders(context).approximateCount()).isEqualTo(1);

          context.start();
          await(() -> orders(context).approximateCount() == 0);
        });
  }

  @Test
  void listenersDoNotStartIfToldSo() {
    shop.withPropertyValues("svcmailbox.listen=false")
        .run(
            context -> {
              assertThat(context.getBean(SpringListenerLoops.class).isRunning()).isFalse();
              assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            });
  }

  /** A bean behind a proxy of its interface. */
  interface Packing {
    @MailboxListener("parcels")
    void pack(Message<byte[], Object> message);
  }

  @Test
  void aProxyIsCalled() {
    List<String> calls = new CopyOnWriteArrayList<>();
    ProxyFactory proxy = new ProxyFactory((Packing) message -> calls.add("packed"));
    proxy.addAdvice(
        (org.aopalliance.intercept.MethodInterceptor)
            call -> {
              if (call.getMethod().getName().equals("pack")) {
                calls.add("intercepted");
              }
              return call.proceed();
            });
    shop.withBean(Packing.class, () -> (Packing) proxy.getProxy())
        .withBean(
            "parcels",
            InMemoryMailbox.class,
            () ->
                InMemoryMailbox.<byte[], Object>builder(
                        "parcels", Codecs.bytes(), Codecs.reference())
                    .build())
        .withPropertyValues("svcmailbox.mailboxes.parcels.dead-letter-limit=5")
        .run(
            context -> {
              @SuppressWarnings("unchecked")
              Mailbox<byte[], Object> parcels = context.getBean("parcels", Mailbox.class);
              parcels.send(new byte[1]);
              await(() -> parcels.approximateCount() == 0);
              assertThat(calls).containsExactly("intercepted", "packed");
            });
  }

  @Test
  void metersAreRecordedWhereThereIsARegistry() {
    shop.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .run(
            context -> {
              orders(context).send(new Order("apples", 2));
              await(() -> orders(context).approximateCount() == 0);
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              await(() -> registry.find("svcmailbox.loop.handling").timer() != null);
              assertThat(registry.get("svcmailbox.loop.handling").tag("mailbox", "orders").timer())
                  .isNotNull();
            });
    shop.run(context -> assertThat(context).doesNotHaveBean("mailboxMeters"));
  }

  @Test
  void neitherMetersNorHealthAreNeeded() {
    shop.withClassLoader(new FilteredClassLoader(MeterRegistry.class, HealthIndicator.class))
        .run(
            context -> {
              orders(context).send(new Order("apples", 2));
              await(() -> orders(context).approximateCount() == 0);
            });
  }

  private static Health health(ApplicationContext context) {
    return requireNonNull(context.getBean(HealthIndicator.class).health());
  }

  @Test
  void healthFollowsTheLoops() {
    shop.run(
        context -> {
          assertThat(health(context).getStatus()).isEqualTo(Status.UP);
          assertThat(health(context).getDetails()).containsKey("orders");

          Outages outages = context.getBean(Outages.class);
          outages.receiveFailed("orders", new IllegalStateException("away"));
          assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
          assertThat(String.valueOf(health(context).getDetails().get("orders"))).contains("away");

          outages.received("orders", 0);
          assertThat(health(context).getStatus()).isEqualTo(Status.UP);

          orders(context).close();
          await(() -> health(context).getStatus().equals(Status.DOWN));
        });
  }
}
