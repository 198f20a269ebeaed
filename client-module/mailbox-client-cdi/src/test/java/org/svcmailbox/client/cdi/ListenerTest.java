package org.svcmailbox.client.cdi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Shutdown;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InterceptorBinding;
import jakarta.interceptor.InvocationContext;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxListener;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.loop.LoopListener;
import org.svcmailbox.client.loop.MainLoopRequest;
import org.svcmailbox.client.loop.MainLoopResult;
import org.svcmailbox.client.memory.InMemoryMailbox;
import org.svcmailbox.test.concurrent.Deadline;

/** Listeners at work in an application, on mailboxes in memory. */
class ListenerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Order APPLES = new Order("apples");

  /** Reports of listeners, for the test to look at. */
  @ApplicationScoped
  static class Seen {
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    void add(String what) {
      seen.add(what);
    }

    String next() throws InterruptedException {
      String next = seen.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("nothing was seen");
      }
      return next;
    }

    boolean isEmpty() {
      return seen.isEmpty();
    }
  }

  private static Map<String, String> with(Map<String, String> settings, String... more) {
    Map<String, String> all = new HashMap<>(settings);
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }

  @ApplicationScoped
  static class OfBodies {
    @MailboxListener("orders")
    Receipt ship(Order order) {
      return new Receipt(order.what() + " shipped");
    }
  }

  @Test
  void whatAListenerReturnsIsTheReplyAndTheMessageIsAcknowledged() {
    try (Application application = Application.start(Shop.ORDERS, Shop.class, OfBodies.class)) {
      Shop shop = application.get(Shop.class);
      shop.orders().send(APPLES, shop.receipts());
      assertEquals("apples shipped", Shop.next(shop.receipts()).text());
      awaitNone(shop.orders());
    }
  }

  /** A bean that hears of all loops. */
  @ApplicationScoped
  static class Heard implements LoopListener {
    @Inject Seen seen;

    @Override
    public void ended(String mailbox, Ending ending, Duration handling) {
      seen.add(mailbox + " " + ending);
    }
  }

  @Test
  void aBeanHearsOfTheLoops() throws InterruptedException {
    try (Application application =
        Application.start(Shop.ORDERS, Shop.class, Seen.class, Heard.class, OfBodies.class)) {
      application.get(Shop.class).orders().send(APPLES);
      assertEquals("orders ACKNOWLEDGED", application.get(Seen.class).next());
    }
  }

  @ApplicationScoped
  static class OfMessages {
    @Inject Seen seen;

    @MailboxListener("orders")
    void ship(Message<Order, Receipt> message) {
      message.reply(new Receipt("first"));
      message.reply(new Receipt("second"));
      seen.add(message.body().what() + message.attributes());
    }
  }

  @Test
  void aListenerCanTakeTheWholeMessage() throws InterruptedException {
    try (Application application =
        Application.start(Shop.ORDERS, Shop.class, Seen.class, OfMessages.class)) {
      Shop shop = application.get(Shop.class);
      shop.orders()
          .send(
              Outgoing.builder(APPLES).replyTo(shop.receipts()).attribute("colour", "red").build());
      assertEquals("apples{colour=red}", application.get(Seen.class).next());
      assertEquals("first", Shop.next(shop.receipts()).text());
      assertEquals("second", Shop.next(shop.receipts()).text());
      awaitNone(shop.orders());
    }
  }

  @ApplicationScoped
  static class OfMessagesWithAReply {
    @MailboxListener("orders")
    Receipt ship(Message<Order, Receipt> message) {
      return new Receipt(message.body().what() + " shipped");
    }
  }

  @Test
  void aListenerThatTakesTheWholeMessageCanReturnTheReply() {
    try (Application application =
        Application.start(Shop.ORDERS, Shop.class, OfMessagesWithAReply.class)) {
      Shop shop = application.get(Shop.class);
      shop.orders().send(APPLES, shop.receipts());
      assertEquals("apples shipped", Shop.next(shop.receipts()).text());
      awaitNone(shop.orders());
    }
  }

  @ApplicationScoped
  static class OfRequests {
    @MailboxListener("requests")
    Receipt ship(MainLoopRequest<Order> request) {
      return new Receipt(request.request().what() + " shipped");
    }
  }

  @Test
  void aRequestIsAnsweredWithAResult() {
    try (Application application = Application.start(Shop.REQUESTS, Shop.class, OfRequests.class)) {
      Shop shop = application.get(Shop.class);
      MainLoopRequest<Order> request = new MainLoopRequest<>(APPLES);
      shop.requests().send(request, shop.results());
      MainLoopResult<Receipt> result = Shop.next(shop.results());
      assertEquals(request.requestId(), result.requestId());
      assertEquals(new Receipt("apples shipped"), result.output());
      assertNull(result.error());
    }
  }

  @ApplicationScoped
  static class Failing {
    @Inject Seen seen;

    @MailboxListener("orders")
    void ship(Message<Order, Receipt> message) throws Exception {
      seen.add(message.deliveryCount() + " after " + message.lastError().orElse("nothing"));
      if (message.deliveryCount() == 1) {
        throw new java.io.IOException("no basket");
      }
      if (message.deliveryCount() == 2) {
        throw new AssertionError("no basket yet");
      }
    }
  }

  @Test
  void anExceptionNacksTheMessageWithItsOwnText() throws Exception {
    try (Application application =
        Application.start(Shop.ORDERS, Shop.class, Seen.class, Failing.class)) {
      Shop shop = application.get(Shop.class);
      Seen seen = application.get(Seen.class);
      shop.orders().send(APPLES);
      assertEquals("1 after nothing", seen.next());
      await(() -> shop.orders().heldCount() == 0, "a nack");
      assertEquals(1, shop.orders().approximateCount());
      shop.clock().advance(Duration.ofSeconds(60));
      assertEquals("2 after java.io.IOException: no basket", seen.next());
      await(() -> shop.orders().heldCount() == 0, "another nack");
      shop.clock().advance(Duration.ofMinutes(2));
      assertEquals("3 after java.lang.AssertionError: no basket yet", seen.next());
      awaitNone(shop.orders());
    }
  }

  @ApplicationScoped
  static class AlwaysFailing {
    @Inject Seen seen;

    @MailboxListener("orders")
    void ship(Order order) {
      seen.add(order.what());
      throw new IllegalStateException("no basket for " + order.what());
    }
  }

  @Test
  void aMessageThatFailsTooOftenGoesToTheDeadLetterMailbox() throws InterruptedException {
    Map<String, String> settings =
        Map.of(
            "svcmailbox.orders.dead-letter-mailbox", "dead",
            "svcmailbox.orders.dead-letter-limit", "1");
    try (Application application =
        Application.start(settings, Shop.class, Seen.class, AlwaysFailing.class)) {
      Shop shop = application.get(Shop.class);
      shop.orders().send(APPLES);
      assertEquals("apples", application.get(Seen.class).next());
      await(() -> shop.orders().heldCount() == 0, "a nack");
      shop.clock().advance(Duration.ofSeconds(60));
      assertEquals(
          "{\"what\":\"apples\"}", new String(Shop.next(shop.dead()), StandardCharsets.UTF_8));
      awaitNone(shop.orders());
    }
  }

  /** Lives for one call. */
  @RequestScoped
  static class Call {
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final int number = NUMBERS.incrementAndGet();

    @Inject Seen seen;

    int number() {
      return number;
    }

    @PreDestroy
    void end() {
      seen.add("end of " + number);
    }
  }

  @ApplicationScoped
  static class WithRequestScope {
    @Inject Call call;
    @Inject Call same;
    @Inject Seen seen;

    @MailboxListener("orders")
    void ship(Order order) {
      seen.add(call.number() == same.number() ? "call " + call.number() : "two requests");
    }
  }

  @Test
  void everyCallHasARequestContextOfItsOwn() throws InterruptedException {
    try (Application application =
        Application.start(
            Shop.ORDERS, Shop.class, Seen.class, Call.class, WithRequestScope.class)) {
      Seen seen = application.get(Seen.class);
      application.get(Shop.class).orders().send(APPLES);
      String first = seen.next();
      assertTrue(first.startsWith("call "), first);
      assertEquals(first.replace("call", "end of"), seen.next());
      application.get(Shop.class).orders().send(APPLES);
      String second = seen.next();
      assertNotEquals(first, second);
      assertEquals(second.replace("call", "end of"), seen.next());
    }
  }

  @Dependent
  static class OnePerCall {
    @Inject Seen seen;
    private int calls;

    @MailboxListener("orders")
    void ship(Order order) {
      calls++;
      seen.add("call " + calls);
    }

    @PreDestroy
    void end() {
      seen.add("end");
    }
  }

  @Test
  void aDependentListenerLivesForOneCall() throws InterruptedException {
    try (Application application =
        Application.start(Shop.ORDERS, Shop.class, Seen.class, OnePerCall.class)) {
      Seen seen = application.get(Seen.class);
      for (int i = 0; i < 2; i++) {
        application.get(Shop.class).orders().send(APPLES);
        assertEquals("call 1", seen.next());
        assertEquals("end", seen.next());
      }
    }
  }

  /** Each use has a mailbox of its own, which ends with the use. */
  @ApplicationScoped
  static class OnePerUse {
    private final Queue<InMemoryMailbox<Order, Receipt>> made = new ConcurrentLinkedQueue<>();

    @Produces
    @MailboxName("orders")
    InMemoryMailbox<Order, Receipt> orders() {
      InMemoryMailbox<Order, Receipt> orders =
          InMemoryMailbox.<Order, Receipt>builder("orders").build();
      made.add(orders);
      return orders;
    }

    void close(@Disposes @MailboxName("orders") InMemoryMailbox<Order, Receipt> orders) {
      orders.close();
    }

    Queue<InMemoryMailbox<Order, Receipt>> made() {
      return made;
    }
  }

  @Test
  void aDependentMailboxLivesAsLongAsTheDeploymentsCheckOrTheLoop() {
    Application application = Application.start(Shop.ORDERS, OnePerUse.class, OfNothing.class);
    Queue<InMemoryMailbox<Order, Receipt>> made = application.get(OnePerUse.class).made();
    assertEquals(List.of(true, false), made.stream().map(Mailbox::isClosed).toList());

    application.close();

    assertEquals(List.of(true, true), made.stream().map(Mailbox::isClosed).toList());
  }

  @ApplicationScoped
  static class OfNothing {
    @MailboxListener("orders")
    void ship(Order order) {}
  }

  @InterceptorBinding
  @Retention(RetentionPolicy.RUNTIME)
  @interface Watched {}

  @Watched
  @Interceptor
  @Priority(Interceptor.Priority.APPLICATION)
  static class Watcher {
    @Inject Seen seen;

    @AroundInvoke
    Object watch(InvocationContext call) throws Exception {
      seen.add("watched");
      return call.proceed();
    }
  }

  @ApplicationScoped
  static class Intercepted {
    @Inject Seen seen;

    @Watched
    @MailboxListener("orders")
    void ship(Order order) {
      seen.add(order.what());
    }
  }

  @Test
  void interceptorsTakePartInACall() throws InterruptedException {
    try (Application application =
        Application.start(Shop.ORDERS, Shop.class, Seen.class, Watcher.class, Intercepted.class)) {
      application.get(Shop.class).orders().send(APPLES);
      assertEquals("watched", application.get(Seen.class).next());
      assertEquals("apples", application.get(Seen.class).next());
    }
  }

  /** Begins and waits to be let go. */
  @ApplicationScoped
  static class Slow {
    private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> released = new LinkedBlockingQueue<>();

    @MailboxListener("orders")
    Receipt ship(Order order) throws InterruptedException {
      begun.add(order.what());
      return new Receipt(released.take());
    }

    BlockingQueue<String> begun() {
      return begun;
    }

    BlockingQueue<String> released() {
      return released;
    }
  }

  @Test
  void theEndOfTheApplicationWaitsForItsListeners() throws InterruptedException {
    Application application = Application.start(Shop.ORDERS, Shop.class, Slow.class);
    Shop shop = application.get(Shop.class);
    InMemoryMailbox<Order, Receipt> orders = shop.orders();
    InMemoryMailbox<Receipt, Object> receipts = shop.receipts();
    Slow slow = application.get(Slow.class);
    BlockingQueue<String> released = slow.released();
    List<Thread> threads = application.get(TestThreads.class).made();

    orders.send(APPLES, receipts);
    assertEquals("apples", slow.begun().poll(10, TimeUnit.SECONDS));
    Thread end = new Thread(application::close);
    end.start();
    // The loop's first thread receives; it ends first, so nothing more is received.
    threads.get(0).join(PATIENCE.toMillis());
    orders.send(new Order("pears"));
    assertTrue(end.isAlive(), "the application ended during a call");

    released.add("shipped");
    end.join(PATIENCE.toMillis());
    assertFalse(end.isAlive(), "the application did not end");
    assertEquals("shipped", Shop.next(receipts).text());
    assertEquals(1, orders.approximateCount());
    assertEquals("pears", Shop.next(orders).what());
    for (Thread thread : threads) {
      assertTrue(thread.getName().startsWith("mailbox-orders-"), thread.getName());
      // The one that stopped the loop reported this before its own end.
      thread.join(PATIENCE.toMillis());
      assertFalse(thread.isAlive(), thread.getName());
    }
  }

  @Test
  void aListenerThatTakesTooLongIsInterruptedAndItsMessageReturns() throws InterruptedException {
    Application application =
        Application.start(
            with(Shop.ORDERS, "svcmailbox.orders.stop-timeout", "1ms"), Shop.class, Slow.class);
    InMemoryMailbox<Order, Receipt> orders = application.get(Shop.class).orders();
    orders.send(APPLES);
    assertEquals("apples", application.get(Slow.class).begun().poll(10, TimeUnit.SECONDS));
    Thread end = new Thread(application::close);
    end.start();
    end.join(PATIENCE.toMillis());
    assertFalse(end.isAlive(), "the application waited for longer than it may");

    List<Message<Order, Receipt>> back = orders.receive(1, PATIENCE, Duration.ZERO);
    assertEquals(2, back.get(0).deliveryCount());
    assertEquals("the worker stopped", back.get(0).lastError().orElseThrow());
  }

  /** Prepares what its listener needs, and ends it. */
  @ApplicationScoped
  static class Prepared {
    private final List<String> found = new CopyOnWriteArrayList<>();

    @Inject TestThreads threads;

    void prepare(@Observes Startup event) {
      found.add(threads.made().size() + " threads at the start");
    }

    @MailboxListener("orders")
    void ship(Order order) {}

    void end(@Observes Shutdown event) throws InterruptedException {
      Thread receiver = threads.made().get(0);
      receiver.join(PATIENCE.toMillis());
      found.add(receiver.isAlive() ? "still receiving at the end" : "stopped at the end");
    }

    List<String> found() {
      return found;
    }
  }

  @Test
  void listenersStartAfterTheApplicationsObserversAndStopBeforeThem() {
    List<String> found;
    try (Application application = Application.start(Shop.ORDERS, Shop.class, Prepared.class)) {
      found = application.get(Prepared.class).found();
    }
    assertEquals(List.of("0 threads at the start", "stopped at the end"), found);
  }

  @Test
  void concurrencyIsHowManyCallsRunAtATime() throws InterruptedException {
    Map<String, String> two = with(Shop.ORDERS, "svcmailbox.orders.concurrency", "2");
    try (Application application = Application.start(two, Shop.class, Slow.class)) {
      Shop shop = application.get(Shop.class);
      Slow slow = application.get(Slow.class);
      for (int i = 0; i < 3; i++) {
        shop.orders().send(new Order("order " + i));
      }
      Set<String> begun = new HashSet<>();
      begun.add(slow.begun().poll(10, TimeUnit.SECONDS));
      begun.add(slow.begun().poll(10, TimeUnit.SECONDS));
      assertEquals(Set.of("order 0", "order 1"), begun);
      assertEquals(2, shop.orders().heldCount());
      slow.released().add("one");
      assertEquals("order 2", slow.begun().poll(10, TimeUnit.SECONDS));
      slow.released().addAll(List.of("two", "three"));
      awaitNone(shop.orders());
    }
  }

  /** Has groups, each in strict order. */
  @ApplicationScoped
  static class StrictShop {
    private final InMemoryMailbox<Order, Receipt> strict =
        InMemoryMailbox.<Order, Receipt>builder("strict").like(BackendFeatures.SQS_FIFO).build();

    @Produces
    @MailboxName("strict")
    InMemoryMailbox<Order, Receipt> strict() {
      return strict;
    }

    void fill(@Observes Startup event) {
      strict.send(APPLES);
      strict.send(new Order("pears"));
    }
  }

  /** Waits until its application ends. */
  @ApplicationScoped
  static class SlowInOrder {
    @Inject Seen seen;

    @MailboxListener("strict")
    void ship(Order order) throws InterruptedException {
      seen.add(order.what());
      new CountDownLatch(1).await();
    }
  }

  @Test
  void orderedIsOneMessageOfAGroupAtATime() throws InterruptedException {
    Map<String, String> settings =
        Map.of(
            "svcmailbox.strict.dead-letter-limit", "5",
            "svcmailbox.strict.concurrency", "2",
            "svcmailbox.strict.ordered", "true",
            "svcmailbox.strict.stop-timeout", "1ms");
    try (Application application =
        Application.start(settings, StrictShop.class, Seen.class, SlowInOrder.class)) {
      assertEquals("apples", application.get(Seen.class).next());
      assertEquals(1, application.get(StrictShop.class).strict().heldCount());
    }
  }

  @Test
  void visibilityIsHowLongALeaseLasts() throws InterruptedException {
    Map<String, String> short5 = with(Shop.ORDERS, "svcmailbox.orders.visibility", "5s");
    try (Application application = Application.start(short5, Shop.class, Slow.class)) {
      Shop shop = application.get(Shop.class);
      Slow slow = application.get(Slow.class);
      shop.orders().send(APPLES);
      assertEquals("apples", slow.begun().poll(10, TimeUnit.SECONDS));
      shop.clock().advance(Duration.ofMillis(4_999));
      assertEquals(List.of(), shop.orders().receive(1, PATIENCE, Duration.ZERO));
      shop.clock().advance(Duration.ofMillis(1));
      List<Message<Order, Receipt>> again = shop.orders().receive(1, PATIENCE, Duration.ZERO);
      assertEquals(2, again.get(0).deliveryCount());
      again.get(0).acknowledge();
      slow.released().add("shipped");
    }
  }

  @Test
  void aCallThatTakesLongerThanItMayIsInterrupted() throws InterruptedException {
    Map<String, String> brief = with(Shop.ORDERS, "svcmailbox.orders.max-execution", "50ms");
    try (Application application = Application.start(brief, Shop.class, Slow.class)) {
      Shop shop = application.get(Shop.class);
      shop.orders().send(APPLES);
      assertEquals("apples", application.get(Slow.class).begun().poll(10, TimeUnit.SECONDS));
      await(() -> shop.orders().heldCount() == 0, "a nack");
      shop.clock().advance(Duration.ofSeconds(60));
      assertEquals("apples", application.get(Slow.class).begun().poll(10, TimeUnit.SECONDS));
    }
  }

  /** A container that has threads for one loop and a half. */
  @Alternative
  @Priority(1)
  @ApplicationScoped
  static class FewThreads extends TestThreads {
    private static final int ENOUGH_FOR_ONE = 3;

    @Override
    public @Nullable Thread newThread(Runnable task) {
      return made().size() == ENOUGH_FOR_ONE + 1 ? null : super.newThread(task);
    }
  }

  @ApplicationScoped
  static class Two {
    @MailboxListener("orders")
    void ship(Order order) {}

    @MailboxListener("requests")
    Receipt serve(MainLoopRequest<Order> request) {
      return new Receipt("served");
    }
  }

  @Test
  void whenOneLoopCannotStartNoneRuns() {
    Map<String, String> both = new HashMap<>(Shop.ORDERS);
    both.putAll(Shop.REQUESTS);

    String failure = Application.failure(both, Shop.class, FewThreads.class, Two.class);

    assertTrue(failure.contains("no thread for mailbox"), failure);
    Deadline.in(PATIENCE)
        .await(() -> loopThreads().isEmpty(), () -> "threads are left: " + loopThreads());
  }

  private static List<String> loopThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("mailbox-orders-") || name.startsWith("mailbox-requests-"))
        .toList();
  }

  /** A superclass of listeners. */
  static class Base {
    @Inject Seen seen;

    @MailboxListener("orders")
    void ship(Order order) {
      seen.add("base");
    }
  }

  @ApplicationScoped
  static class Inheriting extends Base {}

  @ApplicationScoped
  static class Overriding extends Base {
    @Override
    @MailboxListener("orders")
    void ship(Order order) {
      seen.add("overriding");
    }
  }

  @Test
  void aListenerIsInheritedUnlessItIsOverridden() throws InterruptedException {
    for (Class<?> type : List.of(Inheriting.class, Overriding.class)) {
      try (Application application = Application.start(Shop.ORDERS, Shop.class, Seen.class, type)) {
        application.get(Shop.class).orders().send(APPLES);
        String expected = type == Inheriting.class ? "base" : "overriding";
        assertEquals(expected, application.get(Seen.class).next());
        awaitNone(application.get(Shop.class).orders());
        assertTrue(application.get(Seen.class).isEmpty());
      }
    }
  }

  private static void awaitNone(InMemoryMailbox<?, ?> mailbox) {
    await(() -> mailbox.approximateCount() == 0, "an empty " + mailbox.name());
  }

  private static void await(Deadline.Condition condition, String what) {
    Deadline.in(PATIENCE).await(condition, () -> what);
  }
}
