/**
 * Tests of what only the container does: the built EAR is deployed, undeployed and refused in one
 * running server. Invariant: every test deploys and undeploys by itself, and puts back what it
 * changes in the server.
 */
@NullMarked
package org.svcmailbox.it.container;

import org.jspecify.annotations.NullMarked;
