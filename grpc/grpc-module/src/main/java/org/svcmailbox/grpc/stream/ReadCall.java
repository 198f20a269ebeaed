package org.svcmailbox.grpc.stream;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import org.svcmailbox.core.problem.MailboxException;

/**
 * A call whose client sends frames. It reads one after another as long as there is room for their
 * answers, here and at the client. It ends when the client has closed its side and all frames are
 * answered. Any thread.
 *
 * @param <Q> the frames
 * @param <A> the answers
 */
abstract class ReadCall<Q, A> implements StreamObserver<Q> {
  final ServerCallStreamObserver<A> client;
  final StreamContext context;
  final Writer<A> writer;
  final Unanswered unanswered = new Unanswered();
  private final int ahead;
  private int reading;
  private boolean isHalfClosed;

  /**
   * @param ahead the frames that may arrive while one is taken
   */
  ReadCall(ServerCallStreamObserver<A> client, StreamContext context, int ahead) {
    this.client = client;
    this.context = context;
    this.ahead = ahead;
    this.writer = new Writer<>(client, context.threads());
  }

  /**
   * Begins the call, on its own thread.
   *
   * @param check runs first; an exception from it ends the call
   */
  final void begin(Runnable check) {
    client.disableAutoRequest();
    client.setOnCancelHandler(this::gone);
    // Also called after the server has refused the rest of the call.
    client.setOnCloseHandler(this::gone);
    client.setOnReadyHandler(this::writable);
    try {
      check.run();
      proceed();
    } catch (MailboxException e) {
      fail(e);
    }
  }

  /** Called when the client accepts more. */
  void writable() {
    proceed();
  }

  /** Handles a frame; an exception ends the call. */
  abstract void accept(Q frame);

  /** Called when everything is answered and no more frames follow. */
  abstract void finish();

  /** Called when the call is over, however it ended. Idempotent. */
  abstract void gone();

  @Override
  public final void onNext(Q frame) {
    if (writer.isOver()) {
      // It was on its way when the call failed.
      return;
    }
    try {
      accept(frame);
    } catch (MailboxException e) {
      fail(e);
      return;
    }
    synchronized (this) {
      reading--;
    }
    proceed();
  }

  @Override
  public final void onError(Throwable failure) {
    gone();
  }

  final void halfClose() {
    synchronized (this) {
      isHalfClosed = true;
    }
    proceed();
  }

  /** Reads the next frame if possible, or ends the call when everything is done. */
  final void proceed() {
    boolean isDone;
    synchronized (this) {
      isDone = isDone();
      if (reading < ahead && !isHalfClosed && unanswered.hasRoom() && writer.isReady()) {
        int more = ahead - reading;
        reading = ahead;
        client.request(more);
      }
    }
    if (isDone) {
      finish();
    }
  }

  final synchronized boolean isDone() {
    return isHalfClosed && unanswered.isEmpty();
  }

  /** Called when an answer was written. */
  final void answered(long id) {
    unanswered.answered(id);
    proceed();
  }

  final void fail(MailboxException why) {
    boolean unused = writer.fail(context.refusals().call(why, context.call()));
    gone();
  }
}
