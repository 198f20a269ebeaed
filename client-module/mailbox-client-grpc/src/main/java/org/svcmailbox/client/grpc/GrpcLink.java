package org.svcmailbox.client.grpc;

import static java.util.Objects.requireNonNull;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.service.StreamArrivals;
import org.svcmailbox.client.service.StreamArrivals.Sign;
import org.svcmailbox.client.service.StreamEnding;
import org.svcmailbox.client.service.StreamLink;
import org.svcmailbox.client.service.StreamTerms;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.proto.v1.Chunk;
import org.svcmailbox.proto.v1.Credit;
import org.svcmailbox.proto.v1.Goodbye;
import org.svcmailbox.proto.v1.Open;
import org.svcmailbox.proto.v1.Problem;
import org.svcmailbox.proto.v1.RecvCommand;
import org.svcmailbox.proto.v1.RecvEvent;
import org.svcmailbox.proto.v1.Settle;
import org.svcmailbox.proto.v1.Settled;

/**
 * A RecvStream. Threads of the channel read its events, one at a time; any thread writes commands,
 * under the monitor of this link. It reads messages only while its feed wants them, but it always
 * reads results of settlements.
 */
final class GrpcLink extends StreamLink<DriverDelivery>
    implements ClientResponseObserver<RecvCommand, RecvEvent> {
  private final String mailbox;
  private final int largest;
  private final StreamArrivals<DriverDelivery> arrivals;
  private final Open open;
  private final PendingSettles settles = new PendingSettles();
  private final CompletableFuture<@Nullable Throwable> begun = new CompletableFuture<>();
  private final CompletableFuture<Boolean> over = new CompletableFuture<>();
  private final AtomicBoolean stalled = new AtomicBoolean();
  private volatile @Nullable ClientCallStreamObserver<RecvCommand> call;
  private volatile @Nullable Problem problem;
  private @Nullable ChunkedDelivery chunked;
  private boolean isClosed;

  /**
   * A stream that is not yet requested.
   *
   * @param largest the most bytes of a payload
   */
  GrpcLink(
      String mailbox, int largest, StreamArrivals<DriverDelivery> arrivals, StreamTerms request) {
    super(request);
    this.mailbox = mailbox;
    this.largest = largest;
    this.arrivals = arrivals;
    this.open = Elements.open(mailbox, request);
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<RecvCommand> started) {
    started.disableAutoRequestWithInitial(1);
    call = started;
  }

  /** Requests the stream once its call has started. */
  void open() {
    write(RecvCommand.newBuilder().setOpen(open).build());
  }

  /**
   * Waits until the service has opened the stream.
   *
   * @return why it has not; null if it has
   * @throws TimeoutException if it does neither in time
   */
  @Nullable Throwable awaitBegun(Duration atMost) throws InterruptedException, TimeoutException {
    try {
      return begun.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The problem in the Goodbye; null for none. */
  @Nullable Problem problem() {
    return problem;
  }

  private synchronized boolean write(RecvCommand command) {
    if (isClosed || over.isDone()) {
      return false;
    }
    requireNonNull(call).onNext(command);
    return true;
  }

  @Override
  protected void grant(int messages) {
    boolean unused =
        write(
            RecvCommand.newBuilder()
                .setCredit(
                    Credit.newBuilder().setMessages(messages).setBytes((long) messages * largest))
                .build());
  }

  @Override
  protected void more() {
    if (stalled.compareAndSet(true, false)) {
      requireNonNull(call).request(1);
    }
  }

  /**
   * Settles over the stream.
   *
   * @return the future result, which fails if the stream ends first; null if the stream takes no
   *     more
   */
  @Nullable CompletableFuture<Settled> settle(Settle settle) {
    if (!begun.isDone() || over.isDone()) {
      return null;
    }
    PendingSettles.Pending pending = settles.add();
    Settle named = settle.toBuilder().setId(pending.id()).build();
    if (write(RecvCommand.newBuilder().setSettle(named).build())) {
      return pending.result();
    }
    settles.forget(pending.id());
    return null;
  }

  /**
   * Takes no more settlements, waits at most {@code atMost} for the outstanding results, and then
   * hangs up.
   */
  void end(Duration atMost) throws InterruptedException {
    synchronized (this) {
      ClientCallStreamObserver<RecvCommand> started = call;
      if (!isClosed && started != null && !over.isDone()) {
        started.onCompleted();
      }
      isClosed = true;
    }
    try {
      boolean unused = over.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (TimeoutException e) {
      // The settlements are repeated by other calls.
    } finally {
      cut();
    }
  }

  /** Hangs up. */
  void cut() {
    synchronized (this) {
      isClosed = true;
    }
    ClientCallStreamObserver<RecvCommand> started = call;
    if (started != null && !over.isDone()) {
      started.cancel("the stream is over", null);
    }
  }

  @Override
  public void onNext(RecvEvent event) {
    // Before the feed gets the event, because it may want more while this still runs.
    stalled.set(true);
    List<Sign<DriverDelivery>> signs = new ArrayList<>();
    IOException failure = null;
    try {
      read(event, signs);
    } catch (IOException e) {
      failure = e;
    }
    boolean isForTheFeed = !signs.isEmpty() || failure != null;
    boolean isMore = !isForTheFeed || arrivals.arrived(this, signs, failure) || event.hasGoodbye();
    if (event.hasOpened()) {
      begun.complete(null);
    }
    if (isMore) {
      more();
    }
  }

  private void read(RecvEvent event, List<Sign<DriverDelivery>> signs) throws IOException {
    if (chunked != null && !event.hasChunk()) {
      throw new IOException("a payload is cut short");
    }
    switch (event.getIsCase()) {
      case OPENED -> signs.add(new StreamArrivals.Opened<>(event.getOpened().getStream()));
      case DELIVERY -> delivery(event.getDelivery(), signs);
      case CHUNK -> chunk(event.getChunk(), signs);
      case SETTLED -> settles.settled(event.getSettled());
      case HEARTBEAT -> signs.add(new StreamArrivals.Alive<>(event.getHeartbeat().getUnsettled()));
      case GOODBYE -> goodbye(event.getGoodbye(), signs);
      case IS_NOT_SET -> {
        // An event of a newer service.
      }
    }
  }

  private void delivery(org.svcmailbox.proto.v1.Delivery delivery, List<Sign<DriverDelivery>> signs)
      throws IOException {
    if (delivery.getChunkedSize() != 0) {
      chunked = new ChunkedDelivery(delivery, largest);
    } else {
      signs.add(arrived(delivery, delivery.getMessage().getPayload().toByteArray()));
    }
  }

  private void chunk(Chunk chunk, List<Sign<DriverDelivery>> signs) throws IOException {
    ChunkedDelivery open = chunked;
    if (open == null) {
      throw new IOException("a chunk without its delivery");
    }
    if (open.add(chunk)) {
      chunked = null;
      signs.add(arrived(open.head(), open.payload()));
    }
  }

  private Sign<DriverDelivery> arrived(org.svcmailbox.proto.v1.Delivery delivery, byte[] payload)
      throws IOException {
    return new StreamArrivals.Arrived<>(
        delivery.getN(), Deliveries.of(delivery.getMessage(), payload, mailbox));
  }

  private void goodbye(Goodbye goodbye, List<Sign<DriverDelivery>> signs) {
    problem = goodbye.hasProblem() ? goodbye.getProblem() : null;
    signs.add(new StreamArrivals.Ended<>(StreamEnding.of(goodbye.getReason())));
  }

  @Override
  public void onError(Throwable failure) {
    over(failure);
  }

  @Override
  public void onCompleted() {
    over(new IOException("the service ended the stream without a Goodbye"));
  }

  private void over(Throwable why) {
    arrivals.over(this, StreamEnding.CUT, why);
    synchronized (this) {
      over.complete(true);
    }
    begun.complete(why);
    settles.over(why);
  }
}
