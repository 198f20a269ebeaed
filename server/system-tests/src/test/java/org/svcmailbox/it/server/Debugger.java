package org.svcmailbox.it.server;

import static java.util.Objects.requireNonNull;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassNotLoadedException;
import com.sun.jdi.ClassType;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.InvalidTypeException;
import com.sun.jdi.InvocationException;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectCollectedException;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * A debugger of a server's JVM, which has threads die as they come to a method: as if the first
 * thing there had thrown an error. The product knows nothing of it. One thread.
 */
public final class Debugger implements AutoCloseable {
  /** The option that a server is to be started with, behind its others. */
  public static final String OPTION =
      "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";

  private static final Pattern LISTENING =
      Pattern.compile("Listening for transport dt_socket at address: (\\d+)");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String ERROR = "java.lang.StackOverflowError";

  private final VirtualMachine machine;

  private Debugger(VirtualMachine machine) {
    this.machine = machine;
  }

  /** Attaches to a server that was started with {@link #OPTION}. */
  public static Debugger attach(MailboxServer server) throws IOException {
    AttachingConnector connector =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(one -> one.name().equals("com.sun.jdi.SocketAttach"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    requireNonNull(arguments.get("hostname")).setValue("127.0.0.1");
    requireNonNull(arguments.get("port")).setValue(port(server));
    try {
      return new Debugger(connector.attach(arguments));
    } catch (IllegalConnectorArgumentsException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String port(MailboxServer server) {
    String port = "";
    for (String line : server.outputLines()) {
      Matcher said = LISTENING.matcher(line);
      port = said.find() ? said.group(1) : port;
    }
    return port;
  }

  /**
   * Whether a thread with a name runs, and the one before has gone. A thread that dies keeps its
   * name until its last handler has returned, and its successor may run by then.
   *
   * @param dead the number of the one before
   */
  public boolean hasSuccessor(String name, long dead) {
    List<Long> named =
        machine.allThreads().stream()
            .filter(one -> isNamed(one, name))
            .map(ThreadReference::uniqueID)
            .toList();
    return !named.isEmpty() && !named.contains(dead);
  }

  private Optional<ThreadReference> reference(String name) {
    return machine.allThreads().stream().filter(one -> isNamed(one, name)).findFirst();
  }

  private static boolean isNamed(ThreadReference thread, String name) {
    try {
      return thread.name().equals(name);
    } catch (ObjectCollectedException | IllegalThreadStateException e) {
      // It has ended since it was listed.
      return false;
    }
  }

  /**
   * Has a thread die as soon as it comes to the beginning of a method.
   *
   * @return the number of the thread that dies
   */
  public long kill(String name, String type, String method) {
    Deadline deadline = Deadline.in(PATIENCE);
    deadline.await(
        () -> reference(name).isPresent() && !machine.classesByName(type).isEmpty(),
        () -> name + " and " + type);
    ThreadReference thread = reference(name).orElseThrow();
    BreakpointRequest request = breakpoint(thread, type, method);
    EventSet events = await(request, deadline);
    try {
      thread.stop(error(thread));
    } catch (InvalidTypeException e) {
      throw new IllegalStateException(e);
    } finally {
      machine.eventRequestManager().deleteEventRequest(request);
      events.resume();
    }
    return thread.uniqueID();
  }

  private BreakpointRequest breakpoint(ThreadReference thread, String type, String method) {
    Method where = machine.classesByName(type).get(0).methodsByName(method).get(0);
    BreakpointRequest request =
        machine.eventRequestManager().createBreakpointRequest(where.location());
    request.addThreadFilter(thread);
    request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    request.enable();
    return request;
  }

  private EventSet await(BreakpointRequest request, Deadline deadline) {
    try {
      while (!deadline.isOver()) {
        EventSet events = machine.eventQueue().remove(deadline.left().toMillis() + 1);
        if (events != null) {
          for (Event event : events) {
            if (event instanceof BreakpointEvent && event.request().equals(request)) {
              return events;
            }
          }
          events.resume();
        }
      }
      throw new AssertionError("nobody came to " + request.location());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private ObjectReference error(ThreadReference thread) {
    ClassType type = (ClassType) machine.classesByName(ERROR).get(0);
    Method constructor = type.concreteMethodByName("<init>", "()V");
    try {
      while (true) {
        ObjectReference error =
            type.newInstance(
                thread, constructor, List.of(), ObjectReference.INVOKE_SINGLE_THREADED);
        if (isKept(error)) {
          return error;
        }
      }
    } catch (InvalidTypeException
        | ClassNotLoadedException
        | IncompatibleThreadStateException
        | InvocationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Nothing in the server refers to the error before it is thrown, so a collection may take it. */
  private static boolean isKept(ObjectReference error) {
    try {
      error.disableCollection();
      return true;
    } catch (ObjectCollectedException e) {
      return false;
    }
  }

  @Override
  public void close() {
    machine.dispose();
  }
}
