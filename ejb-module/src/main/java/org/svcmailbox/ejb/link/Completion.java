package org.svcmailbox.ejb.link;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.core.io.IOCallback;
import org.jspecify.annotations.Nullable;

/** One wait for the broker of this process. */
final class Completion implements IOCallback {
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicReference<@Nullable ActiveMQException> failure = new AtomicReference<>();

  @Override
  public void done() {
    ended.countDown();
  }

  @Override
  public void onError(int errorCode, String errorMessage) {
    fail(ActiveMQExceptionType.createException(errorCode, errorMessage));
  }

  void fail(ActiveMQException why) {
    failure.set(why);
    ended.countDown();
  }

  /** Returns when it is done; throws if it failed or takes longer than {@code patienceMillis}. */
  void await(long patienceMillis) throws ActiveMQException {
    try {
      if (!ended.await(patienceMillis, TimeUnit.MILLISECONDS)) {
        throw new ActiveMQException(
            ActiveMQExceptionType.CONNECTION_TIMEDOUT,
            "no outcome after " + patienceMillis + " ms");
      }
    } catch (InterruptedException e) {
      throw new ActiveMQInterruptedException(e);
    }
    ActiveMQException why = failure.get();
    if (why != null) {
      throw why;
    }
  }
}
