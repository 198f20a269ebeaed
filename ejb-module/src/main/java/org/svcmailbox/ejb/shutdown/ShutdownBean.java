package org.svcmailbox.ejb.shutdown;

import static java.util.Objects.requireNonNull;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import org.jspecify.annotations.Nullable;

/** Drains all registered parts when the process is told to end. */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class ShutdownBean {
  private final Drains drains = new Drains();
  private @Nullable ShutdownSignals signals;

  @PostConstruct
  void begin() {
    signals = ShutdownSignals.install(drains::run, drains::stopIntake);
  }

  @PreDestroy
  void end() {
    requireNonNull(signals).restore();
  }

  public void add(Drain drain) {
    drains.add(drain);
  }

  /** Forgets a part that ends by itself. */
  public void remove(Drain drain) {
    drains.remove(drain);
  }
}
