package org.svcmailbox.grpc.server;

import io.grpc.BindableService;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import java.util.concurrent.atomic.AtomicBoolean;
import org.svcmailbox.core.health.Vitals;
import org.svcmailbox.proto.v1.MailboxGrpc;

/**
 * The standard health service, for the server and for the mailbox. It reports what {@code /readyz}
 * does.
 */
final class DoorHealth {
  private final HealthStatusManager statuses = new HealthStatusManager();
  private final Vitals vitals;
  private final AtomicBoolean isOver = new AtomicBoolean();

  DoorHealth(Vitals vitals) {
    this.vitals = vitals;
    set(ServingStatus.NOT_SERVING);
  }

  BindableService service() {
    return statuses.getHealthService();
  }

  /** Checks the parts, and tells the clients that watch. */
  void look() {
    set(isReady() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
  }

  private boolean isReady() {
    try {
      return vitals.isReady();
    } catch (RuntimeException e) {
      // The service is starting or stopping.
      return false;
    }
  }

  private void set(ServingStatus status) {
    statuses.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
    statuses.setStatus(MailboxGrpc.SERVICE_NAME, status);
  }

  /** Reports not serving from now on. */
  void drain() {
    if (isOver.compareAndSet(false, true)) {
      statuses.enterTerminalState();
    }
  }
}
