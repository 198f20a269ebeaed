package org.svcmailbox.web.health;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.StatusTimes;
import org.svcmailbox.core.health.Vital;
import org.svcmailbox.core.health.Vitals;
import org.svcmailbox.core.metrics.Build;
import org.svcmailbox.core.settings.MailboxSettings;

/** The service's parts as MicroProfile Health checks, one bean per part. */
@Singleton
public class PartChecks {
  /** The data key that names what stops working with the part. */
  static final String AFFECTS = "affects";

  /** The data key of the moment at which a check got its status. */
  private static final String SINCE = "since";

  private final Vitals vitals;
  private final StatusTimes times;
  private final MailboxSettings.Amnesia amnesia;

  @Inject
  public PartChecks(Vitals vitals, StatusTimes times, MailboxSettings settings) {
    this.vitals = vitals;
    this.times = times;
    this.amnesia = settings.amnesia();
  }

  /** Always UP; reports whether dead letters outlive the process. */
  @Produces
  @Liveness
  @Readiness
  HealthCheck deadLetters() {
    Map<String, Object> data =
        Map.of("dlq_profile", amnesia.dlqProfile(), SINCE, Timestamps.text(Build.STARTED_AT));
    return () -> new HealthCheckResponse("dead-letters", Status.UP, Optional.of(data));
  }

  @Produces
  @Liveness
  HealthCheck threads() {
    return check(Part.THREADS);
  }

  @Produces
  @Liveness
  HealthCheck journal() {
    return check(Part.JOURNAL);
  }

  @Produces
  @Readiness
  HealthCheck broker() {
    return check(Part.BROKER);
  }

  @Produces
  @Readiness
  HealthCheck brokerSettings() {
    return check(Part.BROKER_SETTINGS);
  }

  @Produces
  @Readiness
  HealthCheck workers() {
    return check(Part.WORKERS);
  }

  @Produces
  @Readiness
  HealthCheck intake() {
    return check(Part.INTAKE);
  }

  @Produces
  @Readiness
  HealthCheck cluster() {
    return check(Part.CLUSTER);
  }

  @Produces
  @Readiness
  HealthCheck stores() {
    return check(Part.STORES);
  }

  @Produces
  @Readiness
  HealthCheck database() {
    return check(Part.DATABASE);
  }

  @Produces
  @Readiness
  HealthCheck capabilities() {
    return check(Part.CAPABILITIES);
  }

  @Produces
  @Readiness
  HealthCheck projection() {
    return check(Part.PROJECTION);
  }

  @Produces
  @Readiness
  HealthCheck disk() {
    return check(Part.DISK);
  }

  HealthCheck check(Part part) {
    return () -> response(vitals.of(part));
  }

  private HealthCheckResponse response(Vital vital) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put(AFFECTS, vital.part().affects().text());
    data.put(SINCE, Timestamps.text(times.since(vital)));
    if (!vital.detail().isEmpty()) {
      data.put("detail", vital.detail());
    }
    Status status = vital.up() ? Status.UP : Status.DOWN;
    return new HealthCheckResponse(vital.part().text(), status, Optional.of(data));
  }
}
