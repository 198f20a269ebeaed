package org.svcmailbox.core.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.batch.ProjectionStore.Advance;
import org.svcmailbox.core.batch.ProjectionStore.MovedException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.Fault;

class InMemoryProjectionStoreTest implements ProjectionStoreContract {
  private final InMemoryProjectionStore store = new InMemoryProjectionStore();
  private final List<Advance> advances =
      List.of(
          new Advance(
              WorkerId.of(0),
              BatchId.NONE,
              List.of(SampleBatch.of(0, 1, new SampleShard(1, 0).rows("k", 3, LATER)))));

  @Override
  public ProjectionStore store() {
    return store;
  }

  @Override
  public void deleteTopic(int topicId) {
    store.deleteTopic(topicId);
  }

  @Test
  void aFaultBeforeTheWriteLeavesNothing() throws MovedException {
    store.failNext(Fault.BEFORE);
    assertThrows(UnavailableException.class, () -> store.apply(advances));
    assertEquals(0, store.countKeys());
    assertEquals(List.of(), store.workers());
    store.apply(advances);
    assertEquals(3, store.countKeys());
  }

  @Test
  void aFaultAfterTheWriteLeavesEverything() {
    store.failNext(Fault.AFTER);
    assertThrows(UnavailableException.class, () -> store.apply(advances));
    assertEquals(3, store.countKeys());
    assertThrows(MovedException.class, () -> store.apply(advances));
  }

  @Test
  void aLateTransactionHoldsTheRowsUntilItEnds() throws MovedException {
    store.lateNext();
    assertThrows(UnavailableException.class, () -> store.apply(advances));
    assertTrue(store.hasLate());
    assertEquals(0, store.countKeys());
    assertThrows(UnavailableException.class, () -> store.apply(advances));
    store.endLate(false);
    assertFalse(store.hasLate());
    store.lateNext();
    assertThrows(UnavailableException.class, () -> store.apply(advances));
    store.endLate(true);
    assertEquals(3, store.countKeys());
    assertThrows(MovedException.class, () -> store.apply(advances));
  }

  /** The control of the contract's test: a store that does not look where a worker is. */
  @Test
  void twoProjectorsAreFoundOutWithoutTheCompareAndSet() {
    Object blind =
        Proxy.newProxyInstance(
            ProjectionStore.class.getClassLoader(),
            new Class<?>[] {ProjectionStore.class},
            (proxy, method, arguments) ->
                invoke(method, method.getName().equals("apply") ? anywhere(arguments) : arguments));
    assertNotEquals(List.of(), TwoProjectors.violationsInTurns((ProjectionStore) blind));
  }

  private Object[] anywhere(Object[] arguments) {
    List<Advance> moved = new ArrayList<>();
    for (Object each : (List<?>) arguments[0]) {
      Advance advance = (Advance) each;
      BatchId from = store.applied(advance.worker());
      moved.add(new Advance(advance.worker(), from, advance.batches()));
    }
    return new Object[] {moved};
  }

  private Object invoke(Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
