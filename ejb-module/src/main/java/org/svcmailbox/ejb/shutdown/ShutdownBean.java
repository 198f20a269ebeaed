package org.svcmailbox.ejb.shutdown;

import static java.util.Objects.requireNonNull;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Local;
import jakarta.ejb.LocalBean;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.service.Departure;
import org.svcmailbox.core.service.Drain;
import org.svcmailbox.core.service.Shutdown;

/** Drains all registered parts when the process is told to end. */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
@Local(Shutdown.class)
@LocalBean
public class ShutdownBean implements Shutdown {
  private final Drains drains = new Drains();
  private @Nullable ShutdownSignals signals;

  @PostConstruct
  void begin() {
    signals = ShutdownSignals.install(drains::run, drains::begin);
  }

  @PreDestroy
  void end() {
    requireNonNull(signals).restore();
  }

  @Override
  public void add(Drain drain) {
    drains.add(drain);
  }

  @Override
  public void leaveFirst(Departure departure) {
    drains.leaveFirst(departure);
  }

  @Override
  public void remove(Drain drain) {
    drains.remove(drain);
  }
}
