/** The HTTP API: converts requests to core types and outcomes to responses. */
@NullMarked
package org.svcmailbox.web;

import org.jspecify.annotations.NullMarked;
