package org.svcmailbox.client.cdi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.enterprise.event.Startup;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ModuleObserverTest {
  /** As WildFly does for the modules of an EAR. */
  @Test
  void acceptsAnEventWithoutItsContext() {
    AtomicInteger times = new AtomicInteger();
    new ModuleObserver<>(Order.class, Startup.class, 1, times::incrementAndGet)
        .notify(new Startup());
    assertEquals(1, times.get());
  }
}
