/* Figures of predictions. */
#pragma once

#include "harness/figures/draw.h"
#include "harness/prediction/predict.h"

/* What a file is drawn as, by the ending of its name; PICTURES if that is none of theirs. */
enum picture picture_of(const char *file);

/* Draws the tables that predict_nodes, predict_cover or predict_distribution made. False with a
 * message to `errors`. */
bool prediction_draw(const struct prediction *prediction, const char *file, FILE *errors);
