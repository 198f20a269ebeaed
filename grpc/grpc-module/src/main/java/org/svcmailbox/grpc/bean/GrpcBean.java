package org.svcmailbox.grpc.bean;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.DependsOn;
import jakarta.ejb.EJB;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.inject.Inject;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.health.StartFailure;
import org.svcmailbox.core.health.Vitals;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.problem.StartException;
import org.svcmailbox.core.service.Drain;
import org.svcmailbox.core.service.Shutdown;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.stream.StreamService;
import org.svcmailbox.grpc.server.DoorServices;
import org.svcmailbox.grpc.server.GrpcDoor;
import org.svcmailbox.grpc.server.ListenAddress;
import org.svcmailbox.grpc.server.Numbers;
import org.svcmailbox.grpc.server.ServerKeys;
import org.svcmailbox.grpc.trace.CallSpans;

/** Opens the gRPC server unless the settings turn it off. */
@Singleton
@Startup
@DependsOn({"mailbox-ejb.jar#MailboxBean", "mailbox-ejb.jar#CapabilityBean"})
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class GrpcBean {
  private static final Logger LOG = System.getLogger(GrpcBean.class.getName());

  @Inject private MailboxSettings settings;

  @Inject private MailboxService mailbox;

  @Inject private StreamService streams;

  @Inject private CapabilityService capabilities;

  @Inject private Vitals vitals;

  @EJB private MetricsService metrics;

  @EJB private Shutdown shutdown;

  @Resource private ManagedThreadFactory threads;

  private @Nullable GrpcDoor door;
  private @Nullable Drain ending;

  @PostConstruct
  void start() {
    if (!settings.grpc().enabled()) {
      return;
    }
    Optional<ServerKeys> keys = keys();
    InetSocketAddress address =
        ListenAddress.of(
            settings.grpc().port(), keys.isPresent(), System::getProperty, System::getenv);
    GrpcDoor made =
        new GrpcDoor(
            address,
            keys,
            new DoorServices(
                mailbox, streams, capabilities, vitals, settings, CallSpans.ofServer()),
            Numbers.STANDARD,
            threads);
    open(made, address);
    made.metrics().forEach(metrics::add);
    Drain drain = new Drain(made::stopIntake, made::drain);
    shutdown.add(drain);
    door = made;
    ending = drain;
  }

  private static void open(GrpcDoor made, InetSocketAddress address) {
    try {
      made.open();
    } catch (IOException e) {
      StartException failure =
          new StartException(
              ("The gRPC door cannot listen on %s: %s. Stop the program that uses it, or change"
                      + " mailbox.grpc.port")
                  .formatted(address, e.getMessage()),
              false,
              e);
      StartFailure.report(failure);
      throw failure;
    }
    LOG.log(Level.INFO, "The gRPC door listens on {0}", address);
  }

  private static Optional<ServerKeys> keys() {
    String file = System.getenv("MAILBOX_TLS_KEYSTORE");
    String password = System.getenv("MAILBOX_TLS_PASSWORD");
    return file == null || file.isEmpty() || password == null
        ? Optional.empty()
        : Optional.of(new ServerKeys(Path.of(file), password));
  }

  @PreDestroy
  void stop() {
    if (door != null && ending != null) {
      shutdown.remove(ending);
      door.drain();
    }
  }
}
